package shedjoin.core.model

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.{Budget, Seeded}

class BenefitCurvesSuite extends AnyFunSuite with Seeded {

  private def distribution(random: scala.util.Random, reach: Int): Distribution = {
    val heights = Array.fill(2 * reach + 1)(random.nextDouble())
    Distribution.around0(heights.map(_ / heights.sum))
  }

  test("the benefit along a trend is the sum over all steps to come") {
    histories(30) { random =>
      val noise = distribution(random, random.nextInt(6))
      val slope = random.nextInt(7) - 3
      val alpha = 0.5 + random.nextDouble() * 10
      val curve = BenefitCurves.trend(slope.toDouble, noise, Horizon.Decay(alpha), Budget.unlimited)
      (-80 to 80 by 3).foreach { offset =>
        val direct = (1 to 300).map(d => noise(offset - slope * d) * math.exp(-d / alpha)).sum
        assert(math.abs(curve.at(offset.toLong) - direct) < 1e-9, s"slope $slope, alpha $alpha, offset $offset")
      }
    }
  }

  test("the benefit along a walk is the sum over all steps to come") {
    histories(12) { random =>
      val step = distribution(random, 1 + random.nextInt(3)).copy(first = random.nextInt(5) - 3)
      val alpha = 0.5 + random.nextDouble() * 2
      val curve = BenefitCurves.walk(step, Horizon.Decay(alpha), Budget.unlimited)
      var at = Map(0 -> 1.0)
      var direct = Map.empty[Int, Double]
      (1 to 80).foreach { d =>
        at = at.toSeq
          .flatMap { case (v, p) =>
            step.probabilities.indices.map(i => (v + step.first + i, p * step.probabilities(i)))
          }
          .groupMapReduce(_._1)(_._2)(_ + _)
        at.foreach { case (v, p) => direct = direct.updated(v, direct.getOrElse(v, 0.0) + p * math.exp(-d / alpha)) }
      }
      (-60 to 60).foreach { offset =>
        assert(math.abs(curve.at(offset.toLong) - direct.getOrElse(offset, 0.0)) < 1e-9, s"alpha $alpha, $offset")
      }
    }
  }

  test("no partners are counted that come when the window has passed") {
    histories(20) { random =>
      val noise = distribution(random, 1 + random.nextInt(4))
      val window = 1L + random.nextInt(12)
      val alpha = 0.5 + random.nextDouble() * 20
      val horizon = Horizon.Within(Horizon.Decay(alpha), window)
      val slope = 1 + random.nextInt(3)
      val trend = BenefitCurves.trend(slope.toDouble, noise, horizon, Budget.unlimited)
      val walk = BenefitCurves.walk(noise, horizon, Budget.unlimited)
      val deviation = 3 + random.nextDouble() * 5
      val stream = AutoRegression(random.nextDouble() * 1.8 - .9, 4, deviation)
      // Beyond 4 of these values count as those at that edge.
      val latest = (stream.level + (random.nextDouble() * 7.6 - 3.8) * stream.farSpread).round
      val told = new RegressionCurves(stream)
      val ofStream = told.curves(horizon, Budget.unlimited)(told.cell(latest))
      val walked = (1 to window.toInt).scanLeft(Map(0 -> 1.0)) { (at, _) =>
        at.toSeq
          .flatMap { case (v, p) =>
            noise.probabilities.indices.map(i => (v + noise.first + i, p * noise.probabilities(i)))
          }
          .groupMapReduce(_._1)(_._2)(_ + _)
      }
      def sum(chance: Int => Double): Double = (1 to window.toInt).map(d => chance(d) * math.exp(-d / alpha)).sum
      val values = (-40 to 40).map(_ + stream.mean(latest.toDouble, 1).round)
      def benefit(value: Long): Double = sum(d => stream.chance(value.toDouble, latest.toDouble, d))
      val most = values.map(benefit).max
      (-40 to 40).foreach { offset =>
        assert(math.abs(trend.at(offset.toLong) - sum(d => noise(offset - slope * d))) < 1e-9)
        assert(math.abs(walk.at(offset.toLong) - sum(d => walked(d).getOrElse(offset, 0.0))) < 1e-9)
      }
      values.foreach { value =>
        val error = ofStream.at(told.coordinate(value) - told.origin(latest)) - benefit(value)
        assert(math.abs(error) < .04 * most, s"$stream after $latest at $value")
      }
    }
  }

  test("without drift, and with even steps, a row is worth less the farther its value is from the walk") {
    val curve = BenefitCurves.walk(Distribution.around0(Array(.25, .5, .25)), Horizon.Decay(10), Budget.unlimited)
    (1L to 30L).foreach { far =>
      assert(curve.at(far) < curve.at(far - 1) && math.abs(curve.at(far) - curve.at(-far)) < 1e-12)
    }
  }
}
