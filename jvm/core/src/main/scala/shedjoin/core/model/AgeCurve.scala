package shedjoin.core.model

import shedjoin.core.Budget

/** How many partners a row expects, by its age: `expected(k)` of them spread evenly over the k-th of equal parts of the
  * window (paper 1, definition 2.2).
  */
final class AgeCurve(val window: Long, expected: Array[Double]) {
  private val parts = expected.length
  private val width = window.toDouble / parts
  private val cumulated = expected.scanLeft(0.0)(_ + _)

  def total: Double = cumulated(parts)

  /** The ages at which the parts of the window end. */
  def ends: Seq[Double] = (1 to parts).map(_ * width)

  /** Whether the curve does not rise again once it fell (paper 1, section 3.2.1). */
  def hasNoMinimum: Boolean = {
    val steps = expected.zip(expected.drop(1)).map { case (a, b) => b - a }
    !steps.dropWhile(_ >= 0).exists(_ > 0)
  }

  /** C(age): how many partners a row has met at this age, in the mean. O(1). */
  def cumulative(age: Double): Double = {
    val at = math.min(math.max(age / width, 0), parts)
    val part = math.min(at.toInt, parts - 1)
    cumulated(part) + (at - part) * expected(part)
  }

  /** The age up to which a row that is kept alone meets most partners a tick (k_opt; paper 1, section 3.2.1). O(parts). */
  def bestAge: Double = width * (1 to parts).maxBy(k => cumulated(k) / k)

  /** The greatest rate at which a row of this age can still meet partners (the paper's Priority(i)). C is a line over each
    * part, so the greatest slope is one to an end of a part. O(parts).
    */
  def priority(age: Double): Double = {
    val met = cumulative(age)
    var part = math.max(0, (age / width).toInt)
    // The rest of a row's own part is as steep as the part.
    var best = if (part < parts) expected(part) / width else 0.0
    part += 1
    while (part < parts) {
      best = math.max(best, (cumulated(part + 1) - met) / ((part + 1) * width - age))
      part += 1
    }
    best
  }

  /** The share of all partners that AGE meets with room for `rows` at `rowsPerTick` (equation 3). For curves that do not
    * rise again after they fell.
    */
  def recall(rows: Double, rowsPerTick: Double): Double = {
    val each = rows / rowsPerTick
    val best = bestAge
    (if (each <= best) each * cumulative(best) / best else cumulative(each)) / total
  }

  /** The priority by coordinate, where a row's coordinate is its tick of arrival and the origin is now, both rounded down to
    * whole cells.
    */
  def priorities(budget: Budget): GridCurve = {
    val cell = 1 + (window - 1) / AgeCurve.MostCells
    val cells = (1 + (window - 1) / cell).toInt
    val values = Array.tabulate(cells)(at => priority(((cells - 1 - at) * cell).toDouble))
    new GridCurve(cell, 1 - cells * cell, values, budget)
  }
}

object AgeCurve {
  private val MostCells = 1024
}
