package shedjoin.state

import java.nio.file.{Files, Path}
import java.util.UUID

import shedjoin.core.join.{JoinKind, JoinShape, Reach}

/** A fixed history of four versions, and the files it makes. Those of each format are committed under `golden` in the test
  * resources; what they say must stay readable, and what is written today must equal those of the last format byte for byte.
  *
  * `sbt "state/Test/runMain shedjoin.state.GoldenFiles <folder>"` writes them anew, for a new format only.
  */
object GoldenFiles {
  import Histories._

  val Versions = 4
  val SnapshotAt = 3

  /** The formats there were, and are. */
  val Formats: Seq[Int] = 1 to FileHeader.Format

  private val shape = JoinShape(JoinKind.FullOuter, 95L, 93L, Reach(-10, 10), Reach(-10, 10))

  private def row(key: Int, time: Long, value: Int, padding: Int = 0): TestRow = TestRow(key, time, value, padding)

  private val batches = Seq(
    Batch(Seq(row(1, 100, 1), row(2, 94, 2), row(3, -7, 3)), Seq(row(1, 105, 4), row(9, JoinShape.NoTime, 5)), 95),
    Batch(Seq(row(1, 101, 6, 9), row(9, 120, 7)), Seq(row(9, 118, 8), row(2, 130, 9), row(2, 130, 9)), 95),
    Batch(Nil, Seq(row(1, Long.MaxValue - 1, 10), row(1, 96, 11, 40)), 95),
    Batch(Seq(row(7, 500, 12)), Nil, 95)
  )

  def settings(codec: Int): StateSettings =
    StateSettings(StateSettings.Unlimited, deltasPerSnapshot = SnapshotAt, versionsToRetain = 100, codec = codec)

  private def uid(version: Long, withIds: Boolean): Option[UUID] =
    if (withIds) Some(new UUID(0x5eedL, version)) else None

  def version(number: Long, withIds: Boolean): StateVersion =
    if (number == 0) StateVersion.Empty else StateVersion(number, uid(number, withIds))

  /** The files as today's code writes them, and the content of each version. */
  def write(codec: Int, withIds: Boolean): (MemoryFiles, Map[Long, Map[Int, (Int, TestRow, Boolean)]]) = {
    val files = new MemoryFiles("golden")
    val state = new VersionedState(files, settings(codec))
    val contents = batches.zipWithIndex.map { case (batch, i) =>
      val attempt = state.open(version(i.toLong, withIds), nextUid = uid(i + 1L, withIds))
      val open = attempt.state
      open.keysInRows = InRows
      runBatch(open, batch, shape)
      allIds(open).filter(id => rowAt(open, open.address(id)).value % 6 == 0).foreach(open.remove)
      val content = contentById(open)
      attempt.commit()
      if (i == SnapshotAt) state.maintain()
      (i + 1L) -> content
    }
    (files, contents.toMap)
  }

  /** A committed file. */
  def read(format: Int, name: String): Array[Byte] = {
    val path = s"/golden/format$format/$name"
    val in = getClass.getResourceAsStream(path)
    assert(in != null, s"$path is not there")
    try in.readAllBytes()
    finally in.close()
  }

  /** The folders of the committed files: codec, and whether commits have ids. */
  val Kinds: Seq[(String, Int, Boolean)] =
    Seq(("plain", Frames.NoCodec, false), ("ids", Frames.NoCodec, true), ("zstd", Frames.Zstd, false))

  def main(args: Array[String]): Unit = Kinds.foreach { case (kind, codec, withIds) =>
    val folder = Files.createDirectories(Path.of(args(0), kind))
    val (files, _) = write(codec, withIds)
    files.list().foreach(name => Files.write(folder.resolve(name), files.content.get(name)))
  }
}
