package shedjoin.state

import java.io.{ByteArrayInputStream, ByteArrayOutputStream}

import scala.util.Random

import org.openjdk.jol.info.GraphLayout
import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.collection.{ChunkPool, IntTable}
import shedjoin.core.join.{JoinKind, JoinShape}
import shedjoin.core.{Budget, BudgetExceeded}

/** What each part of the state counts for itself, against its measured objects: all of its arrays, and little more, as
  * references may be half as long as they are counted.
  */
class CountedBytesSuite extends AnyFunSuite {
  import Histories._

  private def measured(parts: AnyRef*): Long = GraphLayout.parseInstance(parts: _*).totalSize

  /** What `part` takes beside what it shares with others. */
  private def own(part: AnyRef, shared: AnyRef*): Long = measured(part +: shared: _*) - measured(shared: _*)

  /** `objects` is what the objects take that hold the arrays, and `more` what may be counted beside them. */
  private def assertCounts(counted: Long, taken: Long, objects: Long, more: Long, clue: => String): Unit =
    assert(taken <= counted + objects && counted <= taken + more, clue)

  test("tables count their chunks, and the directories of them, however wide") {
    val budget = Budget.unlimited
    val table = new IntTable(1, budget, 4)
    Seq(0, 1, 16 * 8, 16 * 8 + 1, 16 * 100, 16 * 5000).foreach { rows =>
      table.ensure(rows)
      assertCounts(budget.usedBytes, own(table, budget), 120, rows / 2 + 120L, s"$rows rows")
    }
  }

  test("a pool counts its spare chunks and their directory") {
    val budget = Budget.unlimited
    val pool = new ChunkPool(budget, 4)
    Seq.fill(500)(pool.take()).foreach(pool.give)
    assertCounts(budget.usedBytes, own(pool, budget), 160, 4 * 512 + 160, "500 chunks")
  }

  test("wheels, keys that wait and what is read ahead count what they take") {
    val budget = Budget.unlimited
    val rows = new RowTable(budget)
    val keys = new KeyTable(budget)
    val log = new RowLog(budget, 1024, new JoinState(Budget.unlimited, 1024))
    assertCounts(TimerWheel.HeapBytes, own(new TimerWheel(rows), rows), 0, 64, "a wheel")
    assertCounts(PendingKeys.HeapBytes, measured(new PendingKeys), 0, 64, "keys that wait")
    assertCounts(
      ReadAhead.HeapBytes,
      own(new ReadAhead(rows, keys, log.pages), rows, keys, log),
      0,
      64,
      "what is read ahead"
    )
  }

  /** Of all that is counted, only the page that is set aside for cleaning, room to read a long key back, and room to copy the
    * directory of pages are not there before they are needed.
    */
  test("a state that only grows takes what it counts, but for a page and a key, whatever its size") {
    val pageBytes = 16 * 1024
    val state = new JoinState(Budget.unlimited, pageBytes)
    val aside = Budget.arrayBytes(pageBytes, 1) + Budget.arrayBytes(PendingKeys.Capacity, 1)
    def check(clue: String): Unit = {
      val taken = measured(state)
      val counted = state.budget.usedBytes - aside
      assertCounts(counted, taken, 0, Slack + taken / 500, clue)
    }
    check("empty")
    val random = new Random(5)
    for (rows <- Seq(10, 100, 1000, 30000); keys <- Seq(10, 100000)) {
      val batch = batches(random, 1, rows, keys, 60).head
      state.begin()
      runBatch(state, batch, shapeOf(JoinKind.FullOuter, shedjoin.core.join.Reach(0, 0), JoinShape.NoBound))
      check(s"$rows rows, $keys keys")
    }
  }

  test("what is counted for files is what those that read and write them take") {
    val file = new ByteArrayOutputStream
    val header = FileHeader(FileHeader.Delta, Frames.Zstd, StateVersion(1, None), None, 0)
    val writer = new FrameWriter(file, header)
    val written = own(writer, file) + Frames.PackerBytes
    writer.finish()
    writer.close()
    val in = new ByteArrayInputStream(file.toByteArray)
    val reader = new FrameReader(in, "file")
    val read = own(reader, in) + Frames.UnpackerBytes
    reader.close()
    assertCounts(Frames.writerBytes, written, 0, MoreOfAFile, "a writer")
    assertCounts(Frames.readerBytes, read, 0, MoreOfAFile, "a reader")
  }

  test("a partition's share holds its state and the side room") {
    for (share <- Seq(StateSettings.Unlimited, 4L << 20)) {
      val settings = StateSettings(share, deltasPerSnapshot = 10, versionsToRetain = 10)
      val state = new VersionedState(new MemoryFiles, settings).open(StateVersion.Empty).state
      val alone = new JoinState(Budget.unlimited, settings.pageBytes).budget.usedBytes
      assert(state.budget.limitBytes == share)
      assert(state.budget.usedBytes == alone + settings.sideBytes)
    }
  }

  Seq((320L << 10, .4), (1L << 20, .5), (16L << 20, .75)).foreach { case (share, least) =>
    test(s"of a full share of ${share >> 10} KiB rows, keys and index have $least at the least") {
      for (padding <- Seq(0, 200, 1000)) {
        val versions = new VersionedState(new MemoryFiles, StateSettings(share, 1000000, 2))
        val shape = shapeOf(JoinKind.Inner, shedjoin.core.join.Reach(0, 0), JoinShape.NoBound)
        var at = StateVersion.Empty
        var used = 0.0
        var value = 0
        def row(): TestRow = {
          value += 1
          TestRow(value, value.toLong, value, padding)
        }
        try
          while (true) {
            val attempt = versions.open(at)
            runBatch(attempt.state, Batch(Seq.fill(20)(row()), Seq.fill(20)(row()), 0), shape)
            at = attempt.commit()
            val parts = attempt.state.budget.parts.toMap
            used = (parts("rows") + parts("index")).toDouble / share
          }
        catch { case _: BudgetExceeded => () }
        info(f"rows of ${24 + padding} bytes: $used%.2f, $value of them")
        assert(used >= least, s"rows of ${24 + padding} bytes")
      }
    }
  }

  /** Fields and small objects of a state. */
  private val Slack = 3000L

  /** The buffer of the stream that a file is read or written by. */
  private val MoreOfAFile = Frames.BlockBytes + 200L
}
