package shedjoin.core.model

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.{Budget, Seeded}

/** Expected figures are the paper's own, or those of `ERRATA`. */
class AgeCurveSuite extends AnyFunSuite with Seeded {

  test("example 3.3: a row kept alone is kept for 3 ticks, and its priorities are those worked out by hand") {
    val curve = new AgeCurve(4, Array(1, 1, 2, 1))
    assert(curve.bestAge == 3)
    assert((0 to 4).map(age => curve.priority(age)) == Seq(4 / 3.0, 1.5, 2.0, 1.0, 0.0))
  }

  test("example 3.4: the best age is 1, before the minimum") {
    val curve = new AgeCurve(3, Array(3, 0, 2))
    assert(curve.bestAge == 1)
    assert((0 to 2).map(age => curve.priority(age)) == Seq(3.0, 1.0, 2.0))
  }

  test("the best ages of the increasing, the decreasing and the bell curve are 500, 25 and 325") {
    assert(
      PaperCurves.all.map { case (name, curve) => name -> curve.bestAge } ==
        Map("INC" -> 500.0, "DEC" -> 25.0, "BELL" -> 325.0)
    )
  }

  test("equation 3 at half the memory") {
    val recalls = PaperCurves.all.map { case (name, curve) => name -> curve.recall(200, 0.8) }
    Map("INC" -> .5, "DEC" -> .885, "BELL" -> .668).foreach { case (name, recall) =>
      assert(math.abs(recalls(name) - recall) < .005, s"$name: $recalls")
    }
  }

  test("the priority is the steepest way on to any later age") {
    histories(100) { random =>
      val curve = new AgeCurve(12, Array.fill(Seq(1, 2, 3, 4, 6, 12)(random.nextInt(6)))(random.nextInt(5).toDouble))
      (0 until 240 by 3).foreach { i =>
        val age = i / 20.0
        val steepest =
          (i + 1 to 240).map(j => (curve.cumulative(j / 20.0) - curve.cumulative(age)) / ((j - i) / 20.0)).max
        assert(math.abs(curve.priority(age) - steepest) < 1e-9)
      }
    }
  }

  test("the priorities by arrival are those by age") {
    histories(50) { random =>
      val window = 1 + random.nextInt(5000)
      val curve = new AgeCurve(window.toLong, Array.fill(1 + random.nextInt(6))(random.nextInt(5).toDouble))
      val grid = curve.priorities(Budget.unlimited)
      val cell = 1 + (window - 1) / 1024
      (0 until window by math.max(1, window / 50)).foreach { age =>
        val rounded = age / cell * cell
        assert(math.abs(grid.at(-age.toLong) - curve.priority(rounded.toDouble)) < 1e-9)
      }
      assert(grid.at(1) == 0 && grid.at(-window.toLong - cell) == 0)
    }
  }

  test("the priorities have at most two runs a part, however fine the ticks are") {
    histories(100) { random =>
      val parts = 1 + random.nextInt(12)
      val curve = new AgeCurve(1000000L + random.nextInt(999999), Array.fill(parts)(random.nextInt(5) / 3.0))
      assert(curve.priorities(Budget.unlimited).runs <= 2 * parts + 1)
    }
    val runs = AgeCurves.expected.map { case (name, parts) =>
      name -> new AgeCurve(500000, parts).priorities(Budget.unlimited).runs
    }
    assert(runs.values.max <= 3, runs)
  }
}
