package shedjoin.core.model

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.{Budget, Seeded}

class ExpectedBenefitSuite extends AnyFunSuite with Seeded {
  import Dominance._

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
    overall(assert(dominating > 1000 && strongly > 500))
  }

  test("on two trends, the curves by which rows are shed agree with dominance between any two rows") {
    histories(40) { random =>
      val alpha = 1 + random.nextDouble() * 12
      val noises = Seq.fill(2) {
        val weights = Array.fill(2 * random.nextInt(8) + 1)(1.0 + random.nextInt(3))
        Distribution.around0(weights.map(_ / weights.sum))
      }
      val curves = noises.map(BenefitCurves.trend(1, _, Horizon.Decay(alpha), Budget.unlimited))
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

  test("section 7.3's condition in closed form, for windows of any width, is that of the curves") {
    histories(400) { random =>
      val (widthX, widthY) = (1 + random.nextInt(9), 1 + random.nextInt(9))
      val (stepsX, stepsY) = (random.nextInt(12), random.nextInt(12))
      val x = joining(20)(d => if (d <= stepsX) 1.0 / widthX else 0)
      val y = joining(20)(d => if (d <= stepsY) 1.0 / widthY else 0)
      val exact = (1 to 20).forall(d => math.min(d, stepsX).toLong * widthY >= math.min(d, stepsY).toLong * widthX)
      assert(dominatesOnTrend(widthX, stepsX, widthY, stepsY) == exact)
      // The curves are sums of rounded parts.
      val clear = (1 to 20).forall(d => math.abs(x.upTo(d) - y.upTo(d)) > 1e-9)
      if (clear) assert(x.dominates(y) == exact)
    }
  }

  test("section 7.3's caching ECB in closed form is corollary 1, and ends one step sooner than printed") {
    for (width <- Seq(3, 21, 31); leaves <- 1 to 25) {
      // The window has left the value from `leaves` steps on.
      val ecb = ExpectedBenefit.caching(40)(d => if (d < leaves) 1.0 / width else 0)
      (1 to 40).foreach { d =>
        assert(math.abs(cachedInWindow(width, leaves, d) - ecb.upTo(d)) < 1e-12, s"$width $leaves $d")
      }
      if (leaves <= 40) assert(1 - math.pow(1 - 1.0 / width, leaves.toDouble) > ecb.upTo(leaves) + 1e-6)
    }
  }

  test("corollary 1: the caching ECB is the probability of a reference, by all futures") {
    histories(50) { random =>
      val chances = Array.fill(8)(random.nextInt(5) / 5.0)
      val ecb = ExpectedBenefit.caching(8)(d => chances(d - 1))
      (1 to 8).foreach { steps =>
        val referenced = (0 until (1 << steps)).map { future =>
          val p = (0 until steps).map(i => if ((future >> i & 1) == 1) chances(i) else 1 - chances(i)).product
          if (future == 0) 0 else p
        }.sum
        assert(math.abs(ecb.upTo(steps) - referenced) < 1e-12)
      }
    }
  }

  test("corollary 2: the dominated subset is the largest of all subsets that are dominated") {
    var found = 0
    histories(300) { random =>
      val rows = IndexedSeq.fill(6)(ExpectedBenefit(Array.fill(3)(random.nextInt(3) / 2.0)))
      val most = 1 + random.nextInt(4)
      def isDominated(set: Set[Int]): Boolean =
        rows.indices.filterNot(set).forall(u => set.forall(v => rows(u).dominates(rows(v))))
      val best = rows.indices.toSet.subsets().filter(set => set.size <= most && isDominated(set)).map(_.size).max
      val shed = dominatedSubset(rows, most)
      assert(isDominated(shed) && shed.size == best, s"$shed, $best")
      found += shed.size
    }
    overall(assert(found > 300))
  }

  test("dominance agrees with HEEB by every horizon of table 1, on random pairs") {
    val horizons = Seq(Horizon.Fixed(1), Horizon.Fixed(5), Horizon.WholeLife, Horizon.Inverse, Horizon.Decay(3))
    var pairs = 0
    histories(3000) { random =>
      val steps = 1 + random.nextInt(8)
      def any() = {
        val chances = Array.fill(steps)(random.nextInt(6) / 6.0)
        if (random.nextBoolean()) ExpectedBenefit(chances) else ExpectedBenefit.caching(steps)(d => chances(d - 1))
      }
      val (x, y) = (any(), any())
      if (x.isComparable(y)) pairs += 1
      horizons.foreach { horizon =>
        def h(row: ExpectedBenefit) = row.weighted(d => horizon.kept(d.toLong))
        if (x.dominates(y)) assert(h(x) >= h(y) - 1e-12, horizon)
        if (x.stronglyDominates(y)) assert(h(x) > h(y), horizon)
      }
    }
    info(s"$pairs comparable pairs")
    overall(assert(pairs > 1000))
  }
}
