package shedjoin.core.model

import shedjoin.core.Budget

/** What a row is worth by where it lies from a moving origin: constant in cells of `width`, from the offset `from` on; `below` and
  * `above` outside them.
  *
  * Representation: a place is a cell, or all offsets below or above them. The worths of the places are the leaves of a tree
  * of minima, laid out as a heap. Beside them stand for each place the run it is in, that is the stretch over which
  * the worth only rises or only falls, whose least worth is at an end, and up to where the worth stays the same. Steps
  * that are no more than rounding errors are taken out, lest each begin a run.
  */
final class GridCurve(
    cellWidth: Long,
    firstOffset: Long,
    worths: Array[Double],
    budget: Budget,
    above: Double = 0,
    below: Double = 0
) {
  import GridCurve._

  private val size = worths.length
  private val places = size + 2
  budget.reserve(GridCurve.bytes(size))

  /** From `places` on the worths; before, at i, the lesser of what is at 2 i and 2 i + 1. */
  private val minima = new Array[Double](2 * places)
  private val runOf, flatTo = new Array[Int](places)
  private var width = 0L
  private var inverseWidth = 0.0
  private var from = 0L
  private var end = 0L
  private var refills = 0
  refill(cellWidth, firstOffset, worths)

  /** How often it was filled: what was found at another number may not hold. */
  def version: Int = refills

  /** Over how many stretches it only rises or only falls. */
  def runs: Int = runOf(places - 1) + 1

  /** How many offsets are worth the same. */
  def cell: Long = width

  /** Takes other worths, as many, in cells of another width and from another offset on. O(cells). */
  def refill(cellWidth: Long, firstOffset: Long, worths: Array[Double]): Unit = {
    refills += 1
    width = cellWidth
    inverseWidth = 1.0 / cellWidth
    from = firstOffset
    end = firstOffset + size * cellWidth
    smooth(worths)
    markRuns()
    var node = places - 1
    while (node > 0) {
      minima(node) = math.min(minima(2 * node), minima(2 * node + 1))
      node -= 1
    }
  }

  private def smooth(worths: Array[Double]): Unit = {
    var most = 0.0
    var cell = 0
    while (cell < size) {
      most = math.max(most, worths(cell))
      cell += 1
    }
    var before = below
    minima(places) = below
    cell = 0
    while (cell < size) {
      if (math.abs(worths(cell) - before) > RoundingError * most) before = worths(cell)
      minima(places + cell + 1) = before
      cell += 1
    }
    minima(2 * places - 1) = above
  }

  private def markRuns(): Unit = {
    var run = 0
    var trend = 0.0
    runOf(0) = 0
    var place = 1
    while (place < places) {
      val step = math.signum(in(place) - in(place - 1))
      if (step * trend < 0) {
        run += 1
        trend = 0
      } else if (step != 0) trend = step
      runOf(place) = run
      place += 1
    }
    place = places - 1
    flatTo(place) = place
    while (place > 0) {
      flatTo(place - 1) = if (in(place - 1) == in(place)) flatTo(place) else place - 1
      place -= 1
    }
  }

  /** What a row at `offset` is worth. O(1). */
  def at(offset: Long): Double = in(placeOf(offset))

  /** The least that a row from one place to another is worth. O(1) within a run, else O(log cells). */
  def least(first: Int, last: Int): Double =
    if (runOf(first) == runOf(last)) math.min(in(first), in(last)) else leastOf(first, last)

  private def leastOf(first: Int, last: Int): Double = {
    var left = first + places
    var right = last + places + 1
    var found = Double.PositiveInfinity
    while (left < right) {
      if ((left & 1) != 0) {
        found = math.min(found, minima(left))
        left += 1
      }
      if ((right & 1) != 0) {
        right -= 1
        found = math.min(found, minima(right))
      }
      left >>= 1
      right >>= 1
    }
    found
  }

  /** Whether all rows from one place to another are worth the same. O(1). */
  def isFlat(first: Int, last: Int): Boolean = flatTo(first) >= last

  private def in(place: Int): Double = minima(places + place)

  /** The number of the place where an offset lies: a whole number and a half, times the inverse, is never rounded to a whole
    * number below what it is. O(1).
    */
  def placeOf(offset: Long): Int =
    if (offset < from) 0
    else if (offset >= end) places - 1
    else if (width == 1) (offset - from).toInt + 1
    else ((offset - from + .5) * inverseWidth).toInt + 1
}

object GridCurve {

  /** The most cells a curve is given. */
  val MostCells = 4096

  /** What a curve of so many cells takes. */
  def bytes(cells: Int): Long = Budget.arrayBytes(2 * (cells + 2), 8) + 2 * Budget.arrayBytes(cells + 2, 4)

  def zero(budget: Budget): GridCurve = new GridCurve(1, 0, Array.empty, budget)

  /** Of the greatest worth. */
  private val RoundingError = 1e-11
}
