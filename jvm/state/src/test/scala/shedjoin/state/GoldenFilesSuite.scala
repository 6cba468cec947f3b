package shedjoin.state

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.Budget
import shedjoin.core.join.{JoinKind, Reach}

/** The bytes of all formats, as committed. */
class GoldenFilesSuite extends AnyFunSuite {
  import GoldenFiles._
  import Histories._

  /** The committed files of the names that today's code would write. */
  private def committed(format: Int, kind: String, names: Seq[String]): MemoryFiles = {
    val files = new MemoryFiles(kind)
    names.foreach(name => files.content.put(name, GoldenFiles.read(format, s"$kind/$name")))
    files
  }

  Kinds.foreach { case (kind, codec, withIds) =>
    val (today, contents) = write(codec, withIds)

    if (codec == Frames.NoCodec)
      test(s"$kind: today's writer writes the committed bytes") {
        assert(today.list().size == Versions + 1, "a delta a version and one snapshot")
        today.list().foreach { name =>
          val same = java.util.Arrays.equals(today.content.get(name), GoldenFiles.read(Formats.last, s"$kind/$name"))
          assert(same, s"$kind/$name has changed: a change of the format needs a new format number")
        }
      }

    for (format <- Formats)
      test(s"$kind: today's reader reads the files of format $format, each version, with and without the snapshot") {
        val all = committed(format, kind, today.list())
        val deltas = committed(format, kind, today.list().filter(_.endsWith(".delta")))
        for (files <- Seq(all, deltas); number <- 1L to Versions.toLong) {
          val state = new VersionedState(files, settings(codec)).open(version(number, withIds)).state
          state.checkInvariants()
          assert(contentById(state) == contents(number), s"version $number")
        }
      }
  }

  Kinds.foreach { case (kind, codec, withIds) =>
    test(s"$kind: a history begun in the oldest format goes on in today's, and is read as one") {
      val files = committed(Formats.head, kind, write(codec, withIds)._1.list())
      val state = new VersionedState(files, settings(codec))
      val attempt = state.open(version(Versions, withIds), nextUid = version(Versions + 1, withIds).uid)
      val open = attempt.state
      open.keysInRows = InRows
      runBatch(
        open,
        Batch(Seq(TestRow(1, 510, 20, 0)), Seq(TestRow(9, 511, 21, 1)), 95),
        shapeOf(JoinKind.Inner, Reach.Everything, 110)
      )
      val content = contentById(open)
      val next = attempt.commit()
      def read() = contentById(new VersionedState(files, settings(codec)).open(next).state)
      assert(read() == content && content.nonEmpty)
      new StateMaintenance(files, settings(codec).copy(deltasPerSnapshot = 1)).run(next, Budget.unlimited)
      assert(files.list().contains(next.snapshot) && read() == content)
    }
  }

  test("the history behind the files has what a file can hold: removals, matches, times of all kinds, both sides") {
    val rows = write(Frames.NoCodec, withIds = false)._2.values.flatMap(_.values).toSeq
    assert(rows.map(_._1).toSet == Set(0, 1) && rows.exists(_._3) && rows.exists(!_._3))
    assert(rows.exists(_._2.time == Long.MaxValue) && rows.exists(_._2.time == Long.MaxValue - 1))
  }
}
