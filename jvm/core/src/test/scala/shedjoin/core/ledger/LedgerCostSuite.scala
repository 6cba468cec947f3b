package shedjoin.core.ledger

import java.lang.management.ManagementFactory

import com.sun.management.ThreadMXBean
import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.Budget

/** What a ledger takes of the heap, and of time, for each thing it is told. */
class LedgerCostSuite extends AnyFunSuite {
  private val threads = ManagementFactory.getThreadMXBean.asInstanceOf[ThreadMXBean]

  /** A full ledger of a stream of skewed keys, half of whose rows are shed. */
  final private class FullLedger {
    private val life = 200000L
    private val ledger =
      new GhostLedger(LedgerSettings.within(1 << 20, life, life, isOuter = true, 1), Budget.unlimited)
    private var seed = 1L
    private var tick = 0L

    private def draw(bound: Int): Int = {
      seed = seed * 0x5851f42d4c957f2dL + 0x14057b7ef767814fL
      (seed >>> 33).toInt % bound
    }

    /** A row that comes, meets one stored row, and is shed, or another is: three things told a time. */
    def tell(times: Int): Unit = {
      var i = 0
      while (i < times) {
        tick += 1
        ledger.advance(tick, tick - life - 1, tick - life - 1)
        val key = draw(1 + draw(200000))
        val side = draw(2)
        ledger.arrived(side, key, tick)
        ledger.matched(side, key, tick - draw(1000), tick)
        ledger.shed(side, key, tick - draw(1000), tick + life)
        i += 1
      }
    }
  }

  /** Objects and references beside the arrays are not counted: a few hundred bytes, once the classes are loaded. */
  test("what a ledger counts is what it takes of the heap") {
    def made(settings: LedgerSettings): (Long, GhostLedger) = {
      val before = threads.getCurrentThreadAllocatedBytes
      val ledger = new GhostLedger(settings, Budget.unlimited)
      (threads.getCurrentThreadAllocatedBytes - before, ledger)
    }
    for (bytes <- Seq(8192L, 30000L, 1L << 20, 16L << 20); isOuter <- Seq(true, false)) {
      val settings = LedgerSettings.within(bytes, 1000, 500, isOuter, 1)
      val taken = Seq.fill(3)(made(settings)._1).min
      val counted = LedgerHistory.bytes(settings)
      info(s"$bytes bytes, outer $isOuter: $counted counted, $taken taken")
      assert(taken >= counted && taken < counted + 4096 && counted <= bytes)
    }
  }

  /** Once the code is compiled, which takes it a while. */
  test("nothing is allocated for a row, a match or a ghost") {
    val ledger = new FullLedger
    var nanos = 0L
    val laps = Iterator.continually {
      val before = threads.getCurrentThreadAllocatedBytes
      val start = threads.getCurrentThreadCpuTime
      ledger.tell(20000)
      nanos = threads.getCurrentThreadCpuTime - start
      threads.getCurrentThreadAllocatedBytes - before
    }
    val bytes = laps.take(60).takeWhile(_ > 5000).toSeq
    info(s"${nanos / 60000} ns for each thing told")
    assert(bytes.size < 60, s"${bytes.lastOption} bytes for 20000 rows")
  }
}
