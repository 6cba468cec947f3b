package shedjoin.state

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.collection.ChunkPool
import shedjoin.core.join.JoinShape
import shedjoin.core.{Budget, Seeded}

class StagingSuite extends AnyFunSuite with Seeded {

  private object NoOwners extends RecordOwners {
    def addressOf(owner: Int): Int = -1
    def moved(owner: Int, address: Int): Unit = ()
  }

  private type Row = (Long, Array[Byte])

  /** The rows in the order in which staging puts them. */
  private def arranged(rows: Seq[Row]): Seq[Row] = {
    val log = new RowLog(Budget.unlimited, 16 * 1024, NoOwners)
    val staging = new Staging(log.pages, Budget.unlimited, new ChunkPool(Budget.unlimited, 4))
    rows.zipWithIndex.foreach { case ((time, bytes), i) =>
      staging.ensureRoom()
      staging.add(log.append(i, bytes, 0, bytes.length), 0, time)
    }
    staging.arrange()
    rows.indices.map(place => rows(staging.indexAt(place)))
  }

  private def check(rows: Seq[Row]): Unit = {
    val expected = rows.sortWith { (a, b) =>
      a._1 < b._1 || (a._1 == b._1 && java.util.Arrays.compareUnsigned(a._2, b._2) < 0)
    }
    val found = arranged(rows)
    found.zip(expected).zipWithIndex.foreach { case (((time, bytes), (wantedTime, wantedBytes)), place) =>
      assert(time == wantedTime && java.util.Arrays.equals(bytes, wantedBytes), s"at place $place")
    }
  }

  private def someBytes(random: Random, prefix: Int): Array[Byte] = {
    val bytes = new Array[Byte](prefix + random.nextInt(30))
    (prefix until bytes.length).foreach(i => bytes(i) = Seq(0, 0, 1, 127, -128, -1)(random.nextInt(6)).toByte)
    bytes
  }

  test("rows are put in the order of times, then bytes, whatever their number, prefixes and lengths") {
    histories(6000) { random =>
      val prefix = if (random.nextInt(10) == 0) 200 else random.nextInt(12)
      val times = Seq(Long.MinValue, -1L, 0L, 1L, 77L, Long.MaxValue - 1, JoinShape.NoTime).take(1 + random.nextInt(7))
      check(Seq.fill(random.nextInt(90))((times(random.nextInt(times.size)), someBytes(random, prefix))))
    }
  }

  test("many copies of a large row are in order without deep recursion") {
    val large = new Array[Byte](1 << 20)
    check(Seq.fill(40)((5L, large.clone)))
    check(Seq.tabulate(40) { i =>
      val bytes = large.clone
      bytes(bytes.length - 3) = (i * 37).toByte
      (5L, bytes)
    })
  }

  /** Rows of one time of which each is a prefix of the next, by `step` bytes. */
  private def prefixes(count: Int, step: Int, value: Int => Int): Seq[Row] = {
    val longest = Array.tabulate(count * step)(value(_).toByte)
    Seq.tabulate(count)(i => (5L, java.util.Arrays.copyOf(longest, i * step)))
  }

  /** A task of Spark has a stack of 1 MB, and much is on it already. */
  private def onSmallStack(f: => Unit): Unit = {
    @volatile var failed: Throwable = null
    val thread = new Thread(
      null,
      () =>
        try f
        catch { case e: Throwable => failed = e },
      "small-stack",
      256 * 1024
    )
    thread.start()
    thread.join()
    if (failed != null) throw new AssertionError(s"on a small stack: $failed", failed)
  }

  for ((count, step) <- Seq((4000, 1), (4000, 9), (20000, 1)))
    test(s"$count rows, each a prefix of the next by $step, are in order on a small stack") {
      val random = new Random(count)
      val rows = prefixes(count, step, i => (i * 31 + i / 7) ^ (i >> 3))
      if (count * step < 10000) Seq(rows, rows.reverse).foreach(sorted => onSmallStack(check(sorted)))
      onSmallStack(check(random.shuffle(rows)))
    }

  test("thousands of rows that differ in their number of zeros only are in order in no more than their bytes' time") {
    onSmallStack(check(new Random(1).shuffle(prefixes(8000, 1, _ => 0))))
    onSmallStack(check(new Random(2).shuffle(prefixes(3000, 2, i => if (i % 64 == 63) 1 else 0))))
  }
}
