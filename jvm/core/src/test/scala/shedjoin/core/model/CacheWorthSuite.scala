package shedjoin.core.model

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.{Budget, Seeded}

/** Paper 3, corollary 1 and section 7.3: what a row of a relation brings to a cache. */
class CacheWorthSuite extends AnyFunSuite with Seeded {

  test("H along a trend is the sum over the chances of a first use, and with uniform noise rises with the value") {
    histories(20) { random =>
      val heights = Array.fill(2 * random.nextInt(6) + 1)(random.nextDouble())
      val noise = Distribution.around0(heights.map(_ / heights.sum))
      val slope = random.nextInt(5) - 2
      val alpha = 0.5 + random.nextDouble() * 10
      val curve = CacheWorth.trend(slope.toDouble, noise, alpha, Budget.unlimited)
      (-60 to 60).foreach { offset =>
        var unused = 1.0
        val direct = (1 to 300).map { d =>
          val p = noise(offset - slope * d)
          val first = unused * p
          unused *= 1 - p
          first * math.exp(-d / alpha)
        }.sum
        assert(math.abs(curve.at(offset.toLong) - direct) < 1e-9, s"slope $slope, alpha $alpha, offset $offset")
      }
    }
    val uniform = CacheWorth.trend(1, Distribution.around0(Array.fill(21)(1.0 / 21)), 12, Budget.unlimited)
    (-9L to 10L).foreach(offset => assert(uniform.at(offset) > uniform.at(offset - 1)))
  }

  test("for a walk the H of a first use is that of all uses, over 1 + that of a return") {
    val alpha = 2.0
    val step = Distribution.around0(Array(.1, .2, .4, .2, .1))
    val all = BenefitCurves.walk(step, Horizon.Decay(alpha), Budget.unlimited)
    (-6 to 6).foreach { value =>
      // Walks that have not come to the value yet.
      var at = Map(0 -> 1.0)
      var first = 0.0
      (1 to 60).foreach { d =>
        at = at.toSeq
          .flatMap { case (v, p) =>
            step.probabilities.indices.map(i => (v + step.first + i, p * step.probabilities(i)))
          }
          .groupMapReduce(_._1)(_._2)(_ + _)
        first += at.getOrElse(value, 0.0) * math.exp(-d / alpha)
        at -= value
      }
      assert(math.abs(first - all.at(value.toLong) / (1 + all.at(0))) < 1e-9, s"value $value")
    }
  }

  private def firstUse(model: AutoRegression, value: Double, latest: Double, alpha: Double): Double = {
    val horizon = Horizon.Decay(alpha)
    model.benefit(value, latest, horizon) / (1 + model.benefit(value, value, horizon))
  }

  test("for an AR(1) stream too the H of a first use is that of all uses, over 1 + that of a return") {
    val alpha = 3.0
    for (phi <- Seq(.7, -.4)) {
      val model = AutoRegression(phi, 2, 1.5)
      val low = math.floor(model.level - 12).toInt
      val values = Array.range(low, low + 25)
      val next = values.map(from => values.map(to => model.chance(to.toDouble, from.toDouble, 1)))
      for (latest <- 10 to 14; value <- 10 to 14) {
        // The chain of rounded values, as far as it has not come to the value yet.
        var at = values.indices.map(i => if (i == latest) 1.0 else 0.0).toArray
        var first = 0.0
        (1 to 80).foreach { d =>
          at = values.indices.map(j => values.indices.map(i => at(i) * next(i)(j)).sum).toArray
          first += at(value) * math.exp(-d / alpha)
          at(value) = 0
        }
        val said = firstUse(model, (low + value).toDouble, (low + latest).toDouble, alpha)
        assert(math.abs(said - first) < .005, s"phi $phi, $value after $latest: $said, $first")
      }
    }
  }

  test("made beforehand, the H of a first use on an AR(1) stream is near it") {
    val model = AutoRegression(.72, 56, 42)
    val curves = new RegressionCurves(model)
    Seq(10.0, 100.0).foreach { alpha =>
      val cached = curves.cachedCurves(alpha, Budget.unlimited)
      for (latest <- 50L to 350L by 17; value <- 50L to 350L by 13) {
        val told = cached(curves.cell(latest)).at(curves.coordinate(value) - curves.origin(latest))
        val direct = firstUse(model, value.toDouble, latest.toDouble, alpha)
        val most = firstUse(model, model.mean(latest.toDouble, 1), latest.toDouble, alpha)
        assert(math.abs(told - direct) < .05 * most, s"alpha $alpha, $value after $latest: $told, $direct")
      }
    }
  }
}
