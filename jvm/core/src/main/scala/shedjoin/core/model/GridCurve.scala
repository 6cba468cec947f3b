package shedjoin.core.model

import shedjoin.core.Budget

/** What a row is worth by where it lies from a moving origin: constant in cells of `width`, from the offset `from` on; `below` and
  * `above` outside them.
  *
  * Beside the values stand the runs, the longest stretches of cells over which the value only rises or only falls: the
  * least worth of a run lies at one end of the rows within it. Cell -1 stands for all offsets below, cell `size` for all
  * above. Steps that are no more than rounding errors are taken out, lest each begin a run.
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
  budget.reserve(GridCurve.bytes(size))
  private val values = new Array[Double](size)

  /** The last cell of each run. */
  private val lasts = new Array[Int](size + 2)
  private var runCount = 0
  private var width = 0L
  private var from = 0L
  refill(cellWidth, firstOffset, worths)

  /** Takes other worths, as many, in cells of another width and from another offset on. O(cells). */
  def refill(cellWidth: Long, firstOffset: Long, worths: Array[Double]): Unit = {
    width = cellWidth
    from = firstOffset
    smooth(worths)
    cutRuns()
  }

  private def smooth(worths: Array[Double]): Unit = {
    var most = 0.0
    var cell = 0
    while (cell < size) {
      most = math.max(most, worths(cell))
      cell += 1
    }
    var before = below
    cell = 0
    while (cell < size) {
      if (math.abs(worths(cell) - before) > RoundingError * most) before = worths(cell)
      values(cell) = before
      cell += 1
    }
  }

  private def cutRuns(): Unit = {
    runCount = 0
    var trend = 0.0
    var before = below
    var cell = 0
    while (cell <= size) {
      val value = if (cell < size) values(cell) else above
      val step = math.signum(value - before)
      if (step * trend < 0) {
        endRun(cell - 1)
        trend = 0
      } else if (step != 0) trend = step
      before = value
      cell += 1
    }
    endRun(size)
  }

  private def endRun(last: Int): Unit = {
    lasts(runCount) = last
    runCount += 1
  }

  /** What a row at `offset` is worth. O(1). */
  def at(offset: Long): Double = inCell(cellOf(offset))

  def runs: Int = runCount

  /** The least and the greatest offset of a run. O(1). */
  def runFrom(run: Int): Long = if (run == 0) Lowest else startOf(lasts(run - 1) + 1)
  def runTo(run: Int): Long = endOf(lasts(run))

  def rises(run: Int): Boolean = inCell(if (run == 0) -1 else lasts(run - 1) + 1) < inCell(lasts(run))

  /** The least and the greatest offset up to which, from `offset` on and within its run, the worth is the same. O(cells of
    * that stretch).
    */
  def flatFrom(offset: Long, run: Int): Long = {
    val first = if (run == 0) -1 else lasts(run - 1) + 1
    var cell = cellOf(offset)
    while (cell > first && inCell(cell - 1) == inCell(cell)) cell -= 1
    startOf(cell)
  }
  def flatTo(offset: Long, run: Int): Long = {
    var cell = cellOf(offset)
    while (cell < lasts(run) && inCell(cell + 1) == inCell(cell)) cell += 1
    endOf(cell)
  }

  private def inCell(cell: Int): Double = if (cell < 0) below else if (cell >= size) above else values(cell)

  private def cellOf(offset: Long): Int =
    if (offset < from) -1 else math.min((offset - from) / width, size.toLong).toInt

  private def startOf(cell: Int): Long = if (cell < 0) Lowest else from + cell * width
  private def endOf(cell: Int): Long = if (cell >= size) Highest else from + (cell + 1) * width - 1
}

object GridCurve {

  /** Far enough that no offset lies beyond, and near enough that an origin can be added. */
  private val Lowest = Long.MinValue / 4
  private val Highest = Long.MaxValue / 4

  /** The most cells a curve is given. */
  val MostCells = 4096

  /** The most that a curve of so many cells takes. */
  def bytes(cells: Int): Long = Budget.arrayBytes(cells, 8) + Budget.arrayBytes(cells + 2, 4)

  def zero(budget: Budget): GridCurve = new GridCurve(1, 0, Array.empty, budget)

  /** Of the greatest worth. */
  private val RoundingError = 1e-11
}
