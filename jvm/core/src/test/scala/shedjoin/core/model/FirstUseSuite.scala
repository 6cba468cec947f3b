package shedjoin.core.model

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.{Budget, Seeded}

/** Paper 3, corollary 1 and section 7.3: what a row of a relation brings to a cache. */
class FirstUseSuite extends AnyFunSuite with Seeded {

  test("the ECB is the chance that the row is used at all, told step by step or all at once") {
    histories(30) { random =>
      val referenced = Array.fill(1 + random.nextInt(20))(random.nextDouble())
      val benefit = FirstUse.benefit(referenced)
      (1 to 25).foreach { steps =>
        val unused = referenced.take(steps).map(1 - _).product
        assert(math.abs(benefit.upTo(steps) - (1 - unused)) < 1e-12)
      }
    }
  }

  test("uniform noise along a trend: the ECB grows for t_x - t_0 - 1 steps, where the paper prints one more") {
    for (reach <- 1 to 6; offset <- -reach to reach) {
      val noise = Distribution.around0(Array.fill(2 * reach + 1)(1.0 / (2 * reach + 1)))
      val benefit = FirstUse.benefit(Array.tabulate(40)(i => noise(offset - (i + 1))))
      // The window has moved beyond the value when it is below f(t) - reach, f(t) = t.
      val gone = (1 to 40).find(t => offset < t - reach).get
      (1 to 40).foreach { steps =>
        val said = 1 - math.pow(1 - 1.0 / (2 * reach + 1), math.min(steps, gone - 1).toDouble)
        assert(math.abs(benefit.upTo(steps) - said) < 1e-12)
      }
    }
  }

  test("H along a trend is the sum over the chances of a first use, and with uniform noise rises with the value") {
    histories(20) { random =>
      val heights = Array.fill(2 * random.nextInt(6) + 1)(random.nextDouble())
      val noise = Distribution.around0(heights.map(_ / heights.sum))
      val slope = random.nextInt(5) - 2
      val alpha = 0.5 + random.nextDouble() * 10
      val curve = FirstUse.trend(slope.toDouble, noise, alpha, Budget.unlimited)
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
    val uniform = FirstUse.trend(1, Distribution.around0(Array.fill(21)(1.0 / 21)), 12, Budget.unlimited)
    (-9L to 10L).foreach(offset => assert(uniform.at(offset) > uniform.at(offset - 1)))
  }

  test("for a walk the H of a first use is that of all uses, over 1 + that of a return") {
    val alpha = 2.0
    val step = Distribution.around0(Array(.1, .2, .4, .2, .1))
    val all = BenefitCurves.walk(step, alpha, Budget.unlimited)
    (-6 to 6).foreach { value =>
      // Walks that have not come to the value yet.
      var at = Map(0 -> 1.0)
      var first = 0.0
      (1 to 60).foreach { d =>
        at = at.toSeq
          .flatMap { case (v, p) => step.probabilities.indices.map(i => (v + step.first + i, p * step.probabilities(i))) }
          .groupMapReduce(_._1)(_._2)(_ + _)
        first += at.getOrElse(value, 0.0) * math.exp(-d / alpha)
        at -= value
      }
      assert(math.abs(first - all.at(value.toLong) / (1 + all.at(0))) < 1e-9, s"value $value")
    }
  }
}
