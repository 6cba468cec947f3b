package shedjoin.state

import java.lang.management.ManagementFactory

import scala.util.Random

import com.sun.management.ThreadMXBean
import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.join._
import shedjoin.core.{Budget, Bytes}

class AllocationSuite extends AnyFunSuite {
  import AllocationSuite._

  private val threads = ManagementFactory.getThreadMXBean.asInstanceOf[ThreadMXBean]
  private val rowsASide = 5000

  /** A stream at rest: as many rows come with each batch as go, under new keys, a tenth of them met by the other side. */
  private class Stream(keyBytes: Int) {
    private val state = new JoinState(Budget.unlimited, 1 << 16)
    private val key = new Array[Byte](keyBytes)
    private val row = new Array[Byte](32)
    private var time = 0L
    private val source: RowSource = side => {
      stage(side)
      false
    }

    def batch(): Unit = {
      state.begin()
      time += 1000
      val reach = Reach(-5000, 5000)
      val shape = JoinShape(JoinKind.LeftOuter, time - 5000, time - 5000, reach, reach)
      val step = new MicroBatch(state, new SideBySide(state, shape.kind, source), shape, PairCondition.Always)
      while (step.next()) ()
      step.expire()
      while (step.next()) ()
    }

    private def stage(side: Int): Unit = {
      var i = 0
      while (i < rowsASide) {
        Bytes.putLong(key, keyBytes - 8, time * 100000 + i + side * rowsASide * 9 / 10)
        state.stage(key, 0, keyBytes, row, 0, row.length, time + i % 1000)
        i += 1
      }
    }
  }

  /** A state of which each batch removes as many rows at random as it stores. */
  private class Shedding(keyBytes: Int) {
    private val state = new JoinState(Budget.unlimited, 1 << 14)
    private val key = new Array[Byte](keyBytes)
    private val row = new Array[Byte](32)
    private val random = new Random(13)

    def batch(): Unit = {
      state.begin()
      while (state.size > 10L * rowsASide) removeAny()
      var i = 0
      while (i < rowsASide) {
        Bytes.putLong(key, keyBytes - 8, random.nextInt(1000000).toLong)
        state.stage(key, 0, keyBytes, row, 0, row.length, i.toLong)
        i += 1
      }
      val count = state.arrange()
      var place = 0
      while (place < count) {
        state.standAt(place)
        state.store(Side.Left, matched = false)
        place += 1
      }
      state.clearStaged()
    }

    private def removeAny(): Unit = {
      val id = random.nextInt(12 * rowsASide)
      if (state.holds(id)) state.remove(id)
    }
  }

  /** A log of which all of the memory is in use: records of `sizes` lengths come, and others go at random. */
  private class FullLog(sizes: Int) extends RecordOwners {
    private val budget = new Budget(2 << 20)
    private val log = new RowLog(budget, 1 << 14, this)
    private val random = new Random(13)
    private val row = new Array[Byte](100 + 16 * sizes)
    private val addresses = Array.fill(50000)(-1)
    budget.reclaimFrom(log)

    def addressOf(owner: Int): Int = addresses(owner)
    def moved(owner: Int, address: Int): Unit = addresses(owner) = address

    def batch(): Unit = {
      var i = 0
      while (i < 2 * rowsASide) {
        val owner = random.nextInt(addresses.length)
        if (addresses(owner) >= 0) {
          log.free(addresses(owner))
          addresses(owner) = -1
        } else if (log.liveBytes < budget.limitBytes * 9 / 10)
          addresses(owner) = log.append(owner, row, 0, 100 + 16 * random.nextInt(sizes))
        i += 1
      }
    }
  }

  Seq(1, 25).foreach { sizes =>
    test(s"nothing is allocated for a record of $sizes sizes that takes the place of others in a full log") {
      val log = new FullLog(sizes)
      assertSettles(2 * rowsASide)(log.batch())
    }
  }

  Seq(16, 24).foreach { keyBytes =>
    test(s"nothing is allocated for a row of a stream at rest, with keys of $keyBytes bytes") {
      val stream = new Stream(keyBytes)
      assertSettles(2 * rowsASide)(stream.batch())
    }

    test(s"nothing is allocated for a row that is removed at random, with keys of $keyBytes bytes") {
      val shedding = new Shedding(keyBytes)
      assertSettles(2 * rowsASide)(shedding.batch())
    }
  }

  /** Batches come to allocate next to nothing a row once the code is compiled and the state has its size. */
  private def assertSettles(rows: Int)(batch: => Unit): Unit = {
    val bytes = Iterator.continually {
      val before = threads.getCurrentThreadAllocatedBytes
      (1 to Together).foreach(_ => batch)
      threads.getCurrentThreadAllocatedBytes - before
    }
    val deadline = System.nanoTime + 60000000000L
    val allowed = Together * rows / 4
    val last = bytes.find(_ <= allowed || System.nanoTime > deadline).get
    assert(last <= allowed, s"for ${Together * rows} rows")
  }
}

object AllocationSuite {
  private val Together = 10
}
