package shedjoin.state

import scala.util.Using

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.Budget
import shedjoin.core.join.Side

/** Files that are whole and continue each other, but do not hold the rows that they say: the last one read, the oldest, is
  * where it shows.
  */
class OldestFileSuite extends AnyFunSuite {
  import Histories._
  import OldestFileSuite._

  private val settings = StateSettings(StateSettings.Unlimited, deltasPerSnapshot = 100, versionsToRetain = 100)

  private def written(deltas: Seq[Delta], start: Long = 0): MemoryFiles = {
    val files = new MemoryFiles("dir")
    deltas.zipWithIndex.foldLeft(start) { case (chain, (delta, i)) =>
      write(files, delta, StateVersion(i + 1L, None), chain)
    }
    files
  }

  /** Writes a file as `docs/format.md` has it, and returns its chain. */
  private def write(files: MemoryFiles, delta: Delta, version: StateVersion, chain: Long): Long = {
    val pending = files.create(version.delta)
    val header = FileHeader(FileHeader.Delta, Frames.NoCodec, version, None, chain)
    val after = Using.resource(new FrameWriter(pending.out, header)) { writer =>
      writer.putByte(StateContent.Tick)
      writer.putLong(1000)
      writer.putVar(delta.taken)
      writer.putVar(delta.stored)
      writer.putByte(StateContent.Removed)
      writer.putVar(delta.removed.size)
      (0 +: delta.removed).zip(delta.removed).foreach { case (before, id) => writer.putVar(id - before) }
      val rows = new RowWriter(KeysInRows.Unknown, delta.rows.size, writer)
      delta.rows.foreach(putRow(rows, _))
      writer.putByte(StateContent.End)
      writer.finish()
    }
    pending.commit()
    after
  }

  private def putRow(to: RowWriter, id: Int): Unit = {
    val row = TestRow(id % 3, 10L + id, id, 0)
    to.putHead(id, Side.Left, matched = false, row.time, leavesOutKey = false)
    Seq(row.keyBytes, row.bytes).foreach(bytes => to.putLength(bytes.length))
    Seq(row.keyBytes, row.bytes).foreach(bytes => to.putBytes(bytes, 0, bytes.length))
  }

  private def damageFound(files: MemoryFiles, last: Long): Seq[String] = {
    val version = StateVersion(last, None)
    val maintenance = new StateMaintenance(files, settings.copy(deltasPerSnapshot = 1))
    val errors = Seq(
      intercept[DamagedStateFile](new VersionedState(files, settings).open(version)),
      intercept[DamagedStateFile](maintenance.run(version, Budget.unlimited))
    )
    assert(!files.exists(version.snapshot))
    errors.map(_.path)
  }

  private def idsAfter(deltas: Seq[Delta]): Seq[Int] =
    allIds(new VersionedState(written(deltas), settings).open(StateVersion(deltas.size.toLong, None)).state)

  /** Both who opens the state and who merges its files are told of the oldest one. */
  private def assertOldestIsNamed(deltas: Delta*): Unit =
    assert(damageFound(written(deltas), deltas.size.toLong) == Seq("dir/1.delta", "dir/1.delta"))

  private val first = Delta(Nil, Seq(0, 1, 2), stored = 3)
  private val second = Delta(Seq(1), Seq(3), stored = 3)

  test("rows that are as many as is said, each removed at most once, are a state") {
    assert(idsAfter(Seq(first)) == Seq(0, 1, 2))
    assert(idsAfter(Seq(first, second)) == Seq(0, 2, 3))
  }

  test("a file continues another history, in which the same ids are stored and removed") {
    val files = written(Seq(first, second))
    files.content.put("1.delta", written(Seq(first.copy(taken = 99))).content.get("1.delta"))
    assert(damageFound(files, 2).forall(_ == "dir/2.delta"))
  }

  test("the first file of all continues something") {
    assert(damageFound(written(Seq(first), start = 5), 1).forall(_ == "dir/1.delta"))
    assert(damageFound(written(Seq(first, second), start = 5), 2).forall(_ == "dir/1.delta"))
  }

  test("a row is missing in the oldest file, or in a younger one") {
    assertOldestIsNamed(first.copy(rows = Seq(0, 1)))
    assertOldestIsNamed(first.copy(rows = Seq(0, 1)), second)
    assertOldestIsNamed(first, second.copy(rows = Nil))
  }

  test("the oldest file has a row too many") {
    assertOldestIsNamed(first.copy(rows = Seq(0, 1, 2, 4)))
  }

  test("a row is removed that was never stored") {
    assertOldestIsNamed(first, second.copy(removed = Seq(1, 7)))
  }

  test("a row's id is given away though nobody removed the row") {
    assertOldestIsNamed(first, Delta(Nil, Seq(1, 3), stored = 4))
  }

  test("of the rows that are said to be there some were removed twice, and others never stored instead") {
    assertOldestIsNamed(first, Delta(Seq(1), Nil, stored = 2), Delta(Seq(1), Seq(3), stored = 3))
  }
}

object OldestFileSuite {

  /** What a delta removes and stores, and how many rows it says there are and were taken by then. */
  final private case class Delta(removed: Seq[Int], rows: Seq[Int], stored: Long, taken: Long = 100)
}
