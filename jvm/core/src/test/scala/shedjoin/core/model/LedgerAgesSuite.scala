package shedjoin.core.model

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.Budget
import shedjoin.core.ledger.{GhostLedger, LedgerSettings}

class LedgerAgesSuite extends AnyFunSuite {
  private val window = 640
  private val ticks = 12 * window

  /** A left row a tick, shed at the age that the policy keeps rows to; a right one, partner of one by its age. */
  private def learned(seed: Int, keptTo: Int, drawAge: Random => Int): LedgerAges = {
    val random = new Random(seed)
    val settings = LedgerSettings.within(8192, 0, window.toLong, isOuter = false, seed.toLong)
    val ledger = new GhostLedger(settings, Budget.unlimited)
    (0 until ticks).foreach { tick =>
      ledger.advance(tick.toLong, tick - window - 1L, tick - 1L)
      ledger.arrived(0, tick, tick.toLong)
      val partner = tick - drawAge(random)
      ledger.arrived(1, partner, tick.toLong)
      if (partner >= 0 && tick - partner < keptTo) ledger.matched(0, partner, partner.toLong, tick.toLong)
      val going = tick - keptTo
      if (going >= 0) ledger.shed(0, going, going.toLong, (going + window).toLong)
    }
    new LedgerAges(ledger.ages, 0)
  }

  /** By how many standard errors the mean over ledgers is off what is expected of a stretch of ages. */
  private def off(keptTo: Int, drawAge: Random => Int, isLate: Boolean, expected: Double): Double = {
    val found = (1 to 20).map { seed =>
      val ages = learned(seed, keptTo, drawAge)
      val parts = (0 until AgeModel.Parts).filter(part => part * ages.partTicks >= window / 2 == isLate)
      parts.map(ages.expected).sum
    }
    val mean = found.sum / found.size
    val error = math.sqrt(found.map(f => (f - mean) * (f - mean)).sum / (found.size - 1) / found.size)
    info(f"kept to $keptTo: $mean%.4f +- $error%.4f, expected $expected")
    math.abs(mean - expected) / error
  }

  /** Two ages drawn, the greater or the lesser of them counts: three quarters lie in the later or the earlier half. */
  private def rising(random: Random): Int = math.max(random.nextInt(window), random.nextInt(window))
  private def falling(random: Random): Int = math.min(random.nextInt(window), random.nextInt(window))

  test("under a policy that keeps rows of a tenth of all ages only, the curve is right in the mean at all ages") {
    Seq(true, false).foreach { isLate =>
      assert(off(window / 10, rising, isLate, if (isLate) .75 else .25) < 4)
      assert(off(window / 10, falling, isLate, if (isLate) .25 else .75) < 4)
    }
  }

  test("the parts hold the ledger's bins, whatever the window") {
    val flat = new shedjoin.core.ledger.AgeCurveSource {
      def bins: Int = 32
      def binTicks(side: Int): Long = 7
      def partners(side: Int, bin: Int): Double = 1.0 + bin
      def rowsSeen(side: Int, bin: Int): Double = 1
    }
    val ages = new LedgerAges(flat, 0)
    assert(math.abs((0 until AgeModel.Parts).map(ages.expected).sum - 32 * 33 / 2) < 1e-9)
  }
}
