package shedjoin.core.model

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.{Budget, Seeded}

class GridCurveSuite extends AnyFunSuite with Seeded {

  test("worths, the least worth of any stretch, and whether it is the same all over it, are those of a plain list") {
    histories(1000) { random =>
      val width = 1L + random.nextInt(3)
      val from = random.nextInt(20).toLong - 10
      def drawn() = Array.fill(random.nextInt(12))(random.nextInt(4).toDouble)
      val first = drawn()
      val (above, below) = (random.nextInt(3).toDouble, random.nextInt(3).toDouble)
      val curve = new GridCurve(1 + random.nextInt(2).toLong, -3, first, Budget.unlimited, above, below)
      val values = Array.fill(first.length)(random.nextInt(4).toDouble)
      curve.refill(width, from, values)
      def expected(offset: Long): Double =
        if (offset < from) below else values.lift(((offset - from) / width).toInt).getOrElse(above)
      val offsets = (from - 5) to (from + width * values.length + 5)
      offsets.foreach(offset => assert(curve.at(offset) == expected(offset)))
      (1 to 20).foreach { _ =>
        val low = offsets(random.nextInt(offsets.size))
        val high = low + random.nextInt(30)
        val worths = (low to high).map(expected)
        assert(curve.least(curve.placeOf(low), curve.placeOf(high)) == worths.min, s"$low to $high")
        assert(curve.isFlat(curve.placeOf(low), curve.placeOf(high)) == (worths.distinct.size == 1), s"$low to $high")
      }
    }
  }

  test("cells are told apart to the tick, however wide they are") {
    histories(2000) { random =>
      val width = 1 + math.abs(random.nextLong()) % (1L << (1 + random.nextInt(30)))
      val curve = new GridCurve(width, 0, Array.tabulate(1024)(_.toDouble), Budget.unlimited, above = -1, below = -2)
      val cell = random.nextInt(1024)
      assert(curve.at(cell * width) == cell && curve.at((cell + 1) * width - 1) == cell, s"cell $cell of $width ticks")
    }
  }

  test("differences that are rounding errors are none") {
    val curve = new GridCurve(1, 0, Array(1, 1 + 1e-13, 1 - 1e-13, 1), Budget.unlimited)
    assert(curve.isFlat(curve.placeOf(0), curve.placeOf(3)) && !curve.isFlat(curve.placeOf(0), curve.placeOf(4)))
  }

  test("a curve is counted") {
    val budget = Budget.unlimited
    new GridCurve(1, 0, Array(1, 2, 1), budget)
    assert(
      budget.usedBytes == Budget.arrayBytes(10, 8) + 2 * Budget.arrayBytes(5, 4),
      "the worths of three cells and of what lies below and above, their minima, runs and ends of flat stretches"
    )
  }
}
