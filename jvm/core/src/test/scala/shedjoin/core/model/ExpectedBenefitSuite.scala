package shedjoin.core.model

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.{Budget, Seeded}

class ExpectedBenefitSuite extends AnyFunSuite with Seeded {

  private val kept: Seq[Int => Double] =
    Seq(3, 10).map(most => (d: Int) => if (d <= most) 1.0 else 0.0) ++ Seq(1.0, 12.0).map(a =>
      (d: Int) => math.exp(-d / a)
    )

  test("a row that dominates another is worth at least as much by HEEB, and one that strongly does is worth more") {
    var dominating, strongly = 0
    histories(5000) { random =>
      def any() = ExpectedBenefit(Array.fill(1 + random.nextInt(4))(random.nextInt(4) / 4.0))
      val (x, y) = (any(), any())
      if (x.dominates(y)) {
        dominating += 1
        kept.foreach(l => assert(x.weighted(l) >= y.weighted(l) - 1e-12))
      }
      if (x.stronglyDominates(y)) {
        strongly += 1
        kept.foreach(l => assert(x.weighted(l) > y.weighted(l)))
      }
    }
    assert(dominating > 1000 && strongly > 500)
  }

  test("on two trends, the curves by which rows are shed agree with dominance between any two rows") {
    histories(40) { random =>
      val alpha = 1 + random.nextDouble() * 12
      val noises = Seq.fill(2) {
        val weights = Array.fill(2 * random.nextInt(8) + 1)(1.0 + random.nextInt(3))
        Distribution.around0(weights.map(_ / weights.sum))
      }
      val curves = noises.map(BenefitCurves.trend(1, _, alpha, Budget.unlimited))
      def any() = (random.nextInt(2), random.nextInt(30) - 10)
      def benefit(row: (Int, Int)) = ExpectedBenefit((1 to 60).map(d => noises(row._1)(row._2 - d)).toArray)
      (1 to 60).foreach { _ =>
        val (x, y) = (any(), any())
        val (hx, hy) = (curves(x._1).at(x._2.toLong), curves(y._1).at(y._2.toLong))
        if (benefit(x).dominates(benefit(y))) assert(hx >= hy - 1e-12, s"$x and $y")
        assert(math.abs(hx - benefit(x).weighted(d => math.exp(-d / alpha))) < 1e-12)
      }
    }
  }

  test("the dominance of section 7.3 between the sides, with its condition the right way round") {
    // x from R at v meets S, noise up to 15; y from S at w meets R, noise up to 10; now is 0.
    def fromR(v: Int) = ExpectedBenefit((1 to 60).map(d => if (math.abs(v - d) <= 15) 1 / 31.0 else 0).toArray)
    def fromS(w: Int) = ExpectedBenefit((1 to 60).map(d => if (math.abs(w - d) <= 10) 1 / 21.0 else 0).toArray)
    for (v <- -14 to 10; w <- -9 to 11) {
      val (inR, inS) = ((v + 15) / 31.0, (w + 10) / 21.0)
      // R's row gains more slowly, so it never dominates unless the other gains nothing; the other does if it gains as much.
      assert(fromS(w).dominates(fromR(v)) == (inS >= inR - 1e-12), s"$v $w")
    }
  }
}
