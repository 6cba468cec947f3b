package shedjoin.core.ledger

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.Budget
import shedjoin.core.join.Side

/** What a ledger does seldom: it forgets ghosts, starts anew, and corrects what it tells of keys and ages. */
class LedgerCornersSuite extends AnyFunSuite {
  private val window = 1000L

  private def newLedger(bytes: Long) =
    new GhostLedger(LedgerSettings.within(bytes, 0, window, isOuter = false, 1), Budget.unlimited)

  private def advance(ledger: GhostLedger, tick: Long): Unit = ledger.advance(tick, tick - window - 1, tick - 1)

  private def shed(ledger: GhostLedger, key: Int, tick: Long): Unit = {
    ledger.arrived(Side.Left, key, tick)
    ledger.shed(Side.Left, key, tick, tick + window)
  }

  test("a ledger that must forget keeps the ghosts that can be met yet, to their last tick") {
    for (at <- Seq(62L, 63L, 100L, 125L, 126L)) {
      val ledger = newLedger(8192)
      val hot = 7
      advance(ledger, at)
      (1 to 200).foreach { _ =>
        shed(ledger, hot, at)
        ledger.arrived(Side.Right, hot, at)
      }
      advance(ledger, at + window)
      (1000 until 6000).foreach(key => shed(ledger, key, at + window))
      ledger.checkInvariants()
      assert(ledger.arrived(Side.Right, hot, at + window) == 200, s"shed at $at")
      assert(ledger.arrived(Side.Right, hot, at + window + 1) == 0, s"shed at $at")
    }
  }

  /** Buckets of more than 64 ticks: what is lost at the edge of a window is a guess then. */
  test("where all ghosts are remembered, the interval covers what is guessed at the edges of windows") {
    val runs = (1 to 30).map { seed =>
      val settings = LedgerSettings.within(1 << 16, 2000, 1500, isOuter = false, seed.toLong)
      val run = new LedgerHistory(settings, 3, 2000, 1500, 0.5, new Random(seed))
      (1 to 4000).foreach(_ => run.step())
      (run.ledger.estimate, run.found.toDouble / (run.found + run.lost))
    }
    val covered = runs.count { case (estimate, recall) => estimate.low <= recall && recall <= estimate.high }
    val widest = runs.map { case (estimate, _) => estimate.high - estimate.low }.max
    info(s"covered $covered, the widest $widest")
    assert(covered >= 26 && widest < 0.02)
  }

  /** Ghosts of many keys, of which some are remembered. */
  private def sampling(): GhostLedger = {
    val ledger = newLedger(8192)
    advance(ledger, 0)
    (0 until 4000).foreach(shed(ledger, _, 0))
    ledger
  }

  /** So many keys come; their stored rows give as many results. */
  private def come(ledger: GhostLedger, keys: Range): RecallEstimate = {
    keys.foreach { key =>
      ledger.arrived(Side.Right, key, 0)
      ledger.matched(Side.Left, 5000, 0, 0)
    }
    ledger.estimate
  }

  test("a ledger that starts anew counts what comes from then on, and only that") {
    val ledger = newLedger(1 << 16)
    advance(ledger, 0)
    (0 until 20).foreach(shed(ledger, _, 0))
    assert(come(ledger, 0 until 20).lost == 20)
    ledger.startAnew()
    val anew = come(ledger, 0 until 5)
    assert(anew.lost == 5 && anew.recall == 0.5 && anew.low == 0.5 && anew.high == 0.5)
  }

  test("one that starts anew with ghosts by lot still says how far it may be off, and the same of the same again") {
    val ledger = sampling()
    come(ledger, 0 until 4000)
    val again = Seq.fill(3) {
      ledger.startAnew()
      come(ledger, 0 until 2000)
    }
    assert(again.distinct.size == 1)
    assert(again.head.lost > 0 && again.head.low < again.head.recall && again.head.recall < again.head.high)
  }

  test("partners that a key lost are corrected by the share of candidates that pass the rest of the condition") {
    val ledger = newLedger(1 << 16)
    advance(ledger, 0)
    (1 to 100).foreach(_ => shed(ledger, 5, 0))
    (1 to 400).foreach(i => if (i % 4 == 0) ledger.matched(Side.Left, 9, 0, 0) else ledger.rejected(Side.Left))
    ledger.arrived(Side.Right, 5, 0)
    assert(math.abs(ledger.partners(Side.Left, 5) - 25) < 1)
  }

  /** Each left row is a candidate once, at age 320 to 639 of 640, half of the rows are stored, and half of those pass. */
  test("the age curve is that of the results, though of ghosts only candidates are known") {
    val random = new Random(3)
    val ledger = new GhostLedger(LedgerSettings.within(1 << 15, 0, 640, isOuter = false, 1), Budget.unlimited)
    val isKept = Array.fill(20000)(random.nextBoolean())
    isKept.indices.foreach { tick =>
      ledger.advance(tick.toLong, tick - 641L, tick - 1L)
      ledger.arrived(Side.Left, tick, tick.toLong)
      if (!isKept(tick)) ledger.shed(Side.Left, tick, tick.toLong, tick + 640L)
      val partner = tick - 320 - random.nextInt(320)
      ledger.arrived(Side.Right, partner, tick.toLong)
      if (partner >= 0 && isKept(partner)) {
        if (random.nextBoolean()) ledger.matched(Side.Left, partner, partner.toLong, tick.toLong)
        else ledger.rejected(Side.Left)
      }
    }
    val all = (0 until ledger.ages.bins).map(ledger.ages.partners(Side.Left, _)).sum
    assert(math.abs(all - 0.5) < 0.08)
  }
}
