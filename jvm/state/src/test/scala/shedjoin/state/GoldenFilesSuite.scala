package shedjoin.state

import org.scalatest.funsuite.AnyFunSuite

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
          val owner = new Object
          val state = new VersionedState(files, settings(codec)).open(version(number, withIds), owner)
          state.checkInvariants()
          assert(contentById(state) == contents(number), s"version $number")
        }
      }
  }

  test("the history behind the files has what a file can hold: removals, matches, times of all kinds, both sides") {
    val rows = write(Frames.NoCodec, withIds = false)._2.values.flatMap(_.values).toSeq
    assert(rows.map(_._1).toSet == Set(0, 1) && rows.exists(_._3) && rows.exists(!_._3))
    assert(rows.exists(_._2.time == Long.MaxValue) && rows.exists(_._2.time == Long.MaxValue - 1))
  }
}
