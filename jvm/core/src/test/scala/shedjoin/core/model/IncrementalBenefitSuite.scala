package shedjoin.core.model

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.{Budget, Seeded}

/** The forms in which H is computed (paper 3, section 6.1), against the sum of its definition. */
class IncrementalBenefitSuite extends AnyFunSuite with Seeded {

  /** Summed up from the far end, farther than any form looks. */
  private def direct(value: Long, now: Long, alpha: Double, chance: (Long, Long) => Double): Double =
    (1 to math.ceil(60 * alpha).toInt).reverse.map(d => chance(value, now + d) * math.exp(-d / alpha)).sum

  private def waves(random: scala.util.Random): (Long, Long) => Double = {
    val (pace, phase) = (random.nextDouble() * 3, random.nextDouble())
    (value, step) => (1 + math.sin(pace * step + phase * value)) / 20
  }

  private def trend(random: scala.util.Random): (Long, (Long, Long) => Double) = {
    val slope = Seq(-3L, -2L, -1L, 1L, 2L, 3L)(random.nextInt(6))
    val weights = Array.fill(2 * random.nextInt(6) + 1)(random.nextDouble())
    val noise = Distribution.around0(weights.map(_ / weights.sum))
    (slope, (value, step) => noise((value - slope * step).toInt))
  }

  test("from step to step (corollary 3), over 10,000 steps, H stays within 1e-9 of the sum") {
    var worst = 0.0
    histories(6) { random =>
      val alpha = Seq(.3, 1.0, 4.2, 11.9, 30, 100)(random.nextInt(6))
      val chance = waves(random)
      val benefit = new IncrementalBenefit(random.nextInt(40).toLong, 0, alpha, chance)
      val every = 1 + random.nextInt(40)
      (1 to 10000).foreach { step =>
        benefit.advance()
        if (step % every == 0 || step > 9900) {
          val error = math.abs(benefit() - direct(benefit.value, step.toLong, alpha, chance))
          worst = math.max(worst, error)
          assert(error < 1e-9, s"alpha $alpha, step $step")
        }
      }
    }
    info(s"greatest error $worst")
  }

  test("from value to value on a trend (corollary 5), H is that of the sum") {
    var worst = 0.0
    histories(60) { random =>
      val (slope, chance) = trend(random)
      val alpha = .5 + random.nextDouble() * 20
      val benefit = new IncrementalBenefit(random.nextInt(60).toLong - 30, 0, alpha, chance)
      (1 to random.nextInt(40)).foreach(_ => benefit.advance())
      (-20 to 20).foreach { steps =>
        val other = benefit.value + slope * steps
        val error = math.abs(benefit.shifted(other, slope) - direct(other, benefit.step, alpha, chance))
        worst = math.max(worst, error)
        assert(error < 1e-9, s"alpha $alpha, slope $slope, $steps steps away")
      }
    }
    info(s"greatest error $worst")
  }

  test("for caching (corollary 4), H of a row not referenced is that of the first use to come") {
    histories(100) { random =>
      val alpha = .5 + random.nextDouble() * 8
      val chances = Array.fill(3000)(random.nextDouble() * .3)
      def first(now: Int): Double =
        ExpectedBenefit.caching(600)(d => chances(now + d)).weighted(d => math.exp(-d / alpha))
      (0 until 20).foreach { now =>
        val next = IncrementalBenefit.cachedStep(first(now), alpha, chances(now + 1))
        assert(math.abs(next - first(now + 1)) < 1e-9)
      }
    }
  }

  test("made beforehand (theorem 3, h1), H on a trend or a walk is that of the sum") {
    var worst = 0.0
    histories(20) { random =>
      val (slope, chance) = trend(random)
      val alpha = .5 + random.nextDouble() * 20
      val noise = Distribution((-6 + slope * 0).toInt, Array.tabulate(13)(i => chance(i - 6L, 0)))
      val curve = BenefitCurves.trend(slope.toDouble, noise, Horizon.Decay(alpha), Budget.unlimited)
      (-80 to 80).foreach { offset =>
        worst = math.max(worst, math.abs(curve.at(offset.toLong) - direct(offset.toLong, 0, alpha, chance)))
      }
    }
    info(s"greatest error $worst")
    assert(worst < 1e-9)
  }
}
