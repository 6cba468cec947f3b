package shedjoin.core.model

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.{Budget, Seeded}

class AutoRegressionSuite extends AnyFunSuite with Seeded {

  /** The least-squares fit to a stream. O(values). */
  private def fitted(values: Array[Double]): AutoRegression = {
    val (before, after) = (values.dropRight(1), values.drop(1))
    val (meanBefore, meanAfter) = (before.sum / before.length, after.sum / after.length)
    val covariance = before.zip(after).map { case (x, y) => (x - meanBefore) * (y - meanAfter) }.sum
    val phi = covariance / before.map(x => (x - meanBefore) * (x - meanBefore)).sum
    val constant = meanAfter - phi * meanBefore
    val errors = before.zip(after).map { case (x, y) => y - constant - phi * x }
    AutoRegression(phi, constant, math.sqrt(errors.map(e => e * e).sum / (errors.length - 2)))
  }

  private def model(random: Random): AutoRegression = AutoRegression(
    Seq(.72, .95, .3, -.5, 0.0, -.9)(random.nextInt(6)),
    random.nextInt(100) - 50.0,
    3 + random.nextDouble() * 40
  )

  test("the normal distribution is that of tables") {
    Seq(0.0 -> .5, 1.0 -> .841344746068543, 1.96 -> .975002104851780, -3.0 -> 1.349898031630095e-3)
      .foreach { case (x, p) => assert(math.abs(Normal.below(x) - p) < 1e-14) }
    Seq(-3.5 -> 2.326290790355250e-4, -5.0 -> 2.866515718791939e-7, -8.0 -> 6.220960574271786e-16)
      .foreach { case (x, p) => assert(math.abs(Normal.below(x) / p - 1) < 1e-7) }
    (-60 to 60).foreach { i =>
      val x = i / 10.0
      assert(Normal.below(x) < Normal.below(x + .1) && math.abs(Normal.below(x) + Normal.below(-x) - 1) < 1e-12)
    }
  }

  test("a fit finds what a stream was made by") {
    histories(5) { random =>
      val made = model(random)
      var x = made.level
      val values = Array.fill(40000) {
        x = made.constant + made.phi * x + made.deviation * random.nextGaussian()
        x
      }
      val found = fitted(values)
      // Six standard errors.
      assert(math.abs(found.phi - made.phi) < 6 * math.sqrt((1 - made.phi * made.phi) / 40000))
      assert(math.abs(found.deviation / made.deviation - 1) < 6 / math.sqrt(80000))
      assert(math.abs(found.level - made.level) < 6 * made.deviation / (1 - made.phi) / 200)
    }
  }

  test("the chance of a value some steps on is that which is drawn") {
    histories(6) { random =>
      val made = AutoRegression(.72, 5, 2)
      val latest = made.level + random.nextInt(9) - 4
      val steps = 1 + random.nextInt(4)
      val draws = Seq.fill(20000) {
        (1 to steps).foldLeft(latest)((x, _) => made.constant + made.phi * x + made.deviation * random.nextGaussian())
      }
      val center = math.round(made.mean(latest, steps))
      (center - 4 to center + 4).foreach { value =>
        val p = made.chance(value.toDouble, latest, steps)
        val share = draws.count(math.round(_) == value) / 20000.0
        assert(math.abs(share - p) < 5 * math.sqrt(p * (1 - p) / 20000), s"$value after $steps")
      }
    }
  }

  test("H is the sum over all steps to come, though a long run is not gone through") {
    histories(30) { random =>
      val made = model(random)
      val horizon =
        if (random.nextBoolean()) Horizon.Decay(1 + random.nextInt(60)) else Horizon.Fixed(1L + random.nextInt(900))
      val latest = made.level + made.farSpread * random.nextGaussian()
      val value = math.round(latest + made.deviation * random.nextGaussian()).toDouble
      val direct = (1 to horizon.reach.toInt).map(d => made.chance(value, latest, d) * horizon.kept(d.toLong)).sum
      assert(math.abs(made.benefit(value, latest, horizon) / direct - 1) < 1e-3, s"$made $horizon")
    }
  }

  test("a bicubic surface goes through its control points, and is exact for planes and near for smooth hills") {
    histories(50) { random =>
      val values = Array.fill(5, 7)(random.nextDouble())
      val surface = new BenefitSurface(-2, .5, 10, 3, values, Budget.unlimited)
      for (i <- 0 until 5; j <- 0 until 7)
        assert(math.abs(surface.at(-2 + .5 * i, 10 + 3 * j.toDouble) - values(i)(j)) < 1e-12)
      val (a, b) = (random.nextDouble(), random.nextDouble())
      def plane(x: Double, y: Double): Double = 1 + a * x + b * y
      val flat = BenefitSurface.of(0, 4, 5, 0, 9, 4, Budget.unlimited)(plane)
      val (x, y) = (random.nextDouble() * 4, random.nextDouble() * 9)
      assert(math.abs(flat.at(x, y) - plane(x, y)) < 1e-12)
      def hill(x: Double, y: Double): Double = math.exp(-x * x / 8 - y * y / 18)
      val smooth = BenefitSurface.of(-8, 8, 25, -12, 12, 25, Budget.unlimited)(hill)
      val (u, v) = (random.nextDouble() * 16 - 8, random.nextDouble() * 24 - 12)
      assert(math.abs(smooth.at(u, v) - hill(u, v)) < 2e-3)
    }
  }

  /** The greatest error of the curves at likely values, of the H of the best row. The latest value is any but the farthest,
    * which count as those at the edge.
    */
  private def error(made: AutoRegression, horizon: Horizon, cells: Int, random: Random): Double = {
    val told = new RegressionCurves(made, cells)
    val curves = told.curves(horizon, Budget.unlimited)
    (1 to 30).flatMap { _ =>
      val latest = math.round(made.level + made.farSpread * (random.nextDouble() * 7.6 - 3.8))
      def direct(value: Long): Double = made.benefit(value.toDouble, latest.toDouble, horizon)
      val next = made.mean(latest.toDouble, 1)
      val most = (0 to 4).map(i => direct(math.round(made.level + (next - made.level) * i / 4))).max
      (1 to 6).map { i =>
        val around = if (i <= 3) next else made.level
        val value = math.round(around + made.deviation * 2 * random.nextGaussian())
        math.abs(curves(told.cell(latest)).at(told.coordinate(value) - told.origin(latest)) - direct(value)) / most
      }
    }.max
  }

  // Where phi is -.9, partners of the step after the next move by 1.7 for each 1 of the latest value.
  Seq((128, .03, .05), (32, .08, .17)).foreach { case (cells, bound, swinging) =>
    test(
      s"made beforehand (theorem 3, h2) in $cells cells of the latest value, H is off by $bound of the best row's at most, " +
        s"by $swinging where phi is -.9"
    ) {
      var worst = 0.0
      histories(10) { random =>
        val made = model(random)
        val found = error(made, Horizon.Decay(2.0 + random.nextInt(60)), cells, random)
        worst = math.max(worst, found)
        assert(found < (if (made.phi == -.9) swinging else bound), made)
      }
      info(f"greatest error $worst%.4f of the best row's H")
    }
  }

  test("there are as many cells as the budget has room for") {
    assert(Seq(1L << 16, 8L << 20, 1L << 40).map(limit => RegressionCurves.cellsFor(new Budget(limit))).head == 16)
    assert(RegressionCurves.cellsFor(Budget.unlimited) == 128)
    val cells = RegressionCurves.cellsFor(new Budget(16L << 20))
    assert(2 * RegressionCurves.bytes(cells) <= (1L << 20) && 4 * RegressionCurves.bytes(cells) > (1L << 20))
  }
}
