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
    val staging = new Staging(log, Budget.unlimited, new ChunkPool(Budget.unlimited, 4))
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
}
