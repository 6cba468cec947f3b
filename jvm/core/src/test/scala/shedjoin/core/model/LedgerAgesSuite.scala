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

  /** By how many standard errors the mean over ledgers is off what is expected of the ages from `from` parts on. */
  private def off(drawAge: Random => Int, from: Int, expected: Long => Double): Double = {
    val ages = (1 to 20).map(seed => learned(seed, window / 10, drawAge))
    val found = ages.map(curve => (from until AgeModel.Parts).map(curve.expected).sum)
    val mean = found.sum / found.size
    val error = math.sqrt(found.map(f => (f - mean) * (f - mean)).sum / (found.size - 1) / found.size)
    val truth = expected(from * ages.head.partTicks)
    info(f"from part $from on: $mean%.4f +- $error%.4f, expected $truth%.4f")
    math.abs(mean - truth) / error
  }

  /** Two ages drawn, of which the greater or the lesser counts. */
  private def rising(random: Random): Int = math.max(random.nextInt(window), random.nextInt(window))
  private def falling(random: Random): Int = math.min(random.nextInt(window), random.nextInt(window))

  private def share(age: Long): Double = age.toDouble / window

  test("under a policy that keeps rows up to a tenth of their window, the curve is right in the mean at all ages") {
    Seq(0, 10).foreach { from =>
      assert(off(rising, from, age => 1 - share(age) * share(age)) < 4)
      assert(off(falling, from, age => (1 - share(age)) * (1 - share(age))) < 4)
    }
  }

  test("the parts hold the ledger's bins, whatever the window") {
    val flat = new shedjoin.core.ledger.AgeCurveSource {
      def bins: Int = 32
      def binTicks(side: Int): Long = 7
      def partners(side: Int, bin: Int): Double = 1.0 + bin
    }
    val ages = new LedgerAges(flat, 0)
    assert(math.abs((0 until AgeModel.Parts).map(ages.expected).sum - 32 * 33 / 2) < 1e-9)
  }
}
