package shedjoin.core.model

import shedjoin.core.Budget

/** HEEB's H by two numbers, a row's value and the partners' latest one (h2 of paper 3, theorem 3), from its values at equally
  * spaced control points, and between them by bicubic interpolation.
  *
  * `values(i)(j)` is H at `firstX + i stepX`, `firstY + j stepY`; beyond the edges it is what it is there. The slopes at the
  * control points are those of Catmull and Rom, one-sided at the edges.
  */
final class BenefitSurface(
    firstX: Double,
    stepX: Double,
    firstY: Double,
    stepY: Double,
    values: Array[Array[Double]],
    budget: Budget
) {
  budget.reserve(
    Budget.arrayBytes(values.length, 8) + values.length.toLong * Budget.arrayBytes(values(0).length, 8)
  )

  /** H there. O(1). */
  def at(x: Double, y: Double): Double = {
    val i = math.min(math.max((x - firstX) / stepX, 0.0), values.length - 1.0)
    val row = math.min(i.toInt, values.length - 2)
    val t = i - row
    val a = along(row, y)
    val b = along(row + 1, y)
    val before = if (row > 0) along(row - 1, y) else 2 * a - b
    val after = if (row + 2 < values.length) along(row + 2, y) else 2 * b - a
    math.max(0, BenefitSurface.cubic(before, a, b, after, t))
  }

  private def along(row: Int, y: Double): Double = {
    val line = values(row)
    val j = math.min(math.max((y - firstY) / stepY, 0.0), line.length - 1.0)
    val at = math.min(j.toInt, line.length - 2)
    val before = if (at > 0) line(at - 1) else 2 * line(at) - line(at + 1)
    val after = if (at + 2 < line.length) line(at + 2) else 2 * line(at + 1) - line(at)
    BenefitSurface.cubic(before, line(at), line(at + 1), after, j - at)
  }
}

object BenefitSurface {

  /** The cubic through b and c, a part `t` of the way from b to c, with slopes along a to c and along b to d. */
  private def cubic(a: Double, b: Double, c: Double, d: Double, t: Double): Double =
    b + .5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)))

  /** Of a function. */
  def of(firstX: Double, lastX: Double, countX: Int, firstY: Double, lastY: Double, countY: Int, budget: Budget)(
      value: (Double, Double) => Double
  ): BenefitSurface = {
    val stepX = (lastX - firstX) / (countX - 1)
    val stepY = (lastY - firstY) / (countY - 1)
    val values = Array.tabulate(countX, countY)((i, j) => value(firstX + i * stepX, firstY + j * stepY))
    new BenefitSurface(firstX, stepX, firstY, stepY, values, budget)
  }
}
