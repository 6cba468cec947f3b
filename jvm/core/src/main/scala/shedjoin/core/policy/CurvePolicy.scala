package shedjoin.core.policy

import java.io.{DataInput, DataOutput}

import shedjoin.core.Budget
import shedjoin.core.collection.{OrderedRows, RowOrder}
import shedjoin.core.join.Side
import shedjoin.core.model.GridCurve
import shedjoin.core.policy.RowFacts.NoRow

/** Sheds the row of least worth, where worth is a curve, one a side, over the distance from a moving origin, x the row's weight.
  *
  * AGE (paper 1, section 3.2.1) by the distance of a row's arrival from now; HEEB (paper 3, sections 6.1, 7.3 to 7.5) by
  * the distance of its value from the other stream's trend or latest value; where that is not all, by another curve for
  * each cell of the latest value, or for each step. Rows lie sorted by where they are, so the origin moves for nothing. The
  * row that goes first of a side is known until it goes or the origin moves; then it is looked for anew ([[LeastWorth]]).
  */
private[policy] class CurvePolicy(
    curves: WorthCurves,
    origin: Origin,
    weighing: Weighing,
    facts: RowFacts,
    budget: Budget
) extends TabledPolicy(facts, CurvePolicy.stride(curves), budget)
    with RowOrder {
  import CurvePolicy._

  private val rows = new OrderedRows(2 * Sides, this, budget)
  private val least = new LeastWorth(rows, facts, budget)

  /** Of each side the row that goes first, with its rank, a rank that no row at another coordinate is below, by which curve,
    * measured from where; no curve where it is not known.
    */
  private val candidates = Array(NoRow, NoRow)
  private val ranks, rests = new Array[Double](Sides)
  private val ranked = new Array[GridCurve](Sides)
  private val versions = new Array[Int](Sides)
  private val measured = new Array[Long](Sides)
  budget.reserve(2 * Budget.arrayBytes(Sides, 4) + 4 * Budget.arrayBytes(Sides, 8))

  /** Whether a row is kept as long as there are others. */
  protected def isSpared(row: Int): Boolean = false
  private def lineOf(row: Int): Int = if (isSpared(row)) Sides + facts.side(row) else facts.side(row)

  final def coordinate(row: Int): Long = cells.getLong(row, Coordinate)
  override def weight(row: Int): Double = weighing.atLeast0(row)
  override def second(row: Int): Long = facts.lastTick(row)
  def compare(a: Int, b: Int): Int = facts.compareContent(a, b)

  /** When the row came, where that is kept. */
  final protected def arrival(row: Int): Long = cells.getLong(row, Arrival)

  override def observed(side: Int, value: Long): Unit = origin.observed(side, value, tick)
  def matched(row: Int): Unit = ()

  final def nextVictim(): Int = {
    lookUp(Side.Left)
    lookUp(Side.Right)
    val left = candidates(Side.Left)
    val right = candidates(Side.Right)
    if (left == NoRow && right == NoRow) spared()
    else if (left == NoRow) right
    else if (right == NoRow || goesFirst(left, ranks(Side.Left), right, ranks(Side.Right))) left
    else right
  }

  /** Finds the row of a side that goes first, unless that is known. */
  private def lookUp(side: Int): Unit = {
    val from = origin.origin(side, tick)
    val curve = curves(side, origin.curve(side, tick))
    if ((ranked(side) ne curve) || versions(side) != curve.version || measured(side) != from) {
      if (from == Origin.Unknown) {
        candidates(side) = rows.firstWithin(side, Long.MinValue, Long.MaxValue)
        if (candidates(side) != NoRow) ranks(side) = LeastWorth.ranked(rows.weight(candidates(side)), 0)
        rests(side) = 0
      } else {
        least.find(side, curve, from)
        candidates(side) = least.row
        ranks(side) = least.rank
        rests(side) = least.rest
      }
      ranked(side) = curve
      versions(side) = curve.version
      measured(side) = from
    }
  }

  private def spared(): Int = {
    val left = rows.firstWithin(Sides + Side.Left, Long.MinValue, Long.MaxValue)
    val right = rows.firstWithin(Sides + Side.Right, Long.MinValue, Long.MaxValue)
    if (left == NoRow) right
    else if (right == NoRow || goesFirst(left, rows.weight(left), right, rows.weight(right))) left
    else right
  }

  protected def ensureRoom(row: Int): Unit = rows.ensureRoom(row)
  protected def noteArrival(row: Int, matches: Int): Unit = {
    cells.putLong(row, Coordinate, origin.coordinate(facts.side(row), tick, facts.value(row)))
    if (curves.keepsArrivals) cells.putLong(row, Arrival, tick)
  }

  protected def enter(row: Int): Unit = {
    val line = lineOf(row)
    rows.add(line, row)
    if (line < Sides && ranked(line) != null) compete(line, row)
  }

  /** A row came that may go before the one known to go first. */
  private def compete(side: Int, row: Int): Unit = {
    val first = candidates(side)
    val rank = rankNow(side, row)
    val goesNow = first == NoRow || goesFirst(row, rank, first, ranks(side))
    if (first != NoRow && coordinate(row) != coordinate(first))
      rests(side) = math.min(rests(side), if (goesNow) ranks(side) else rank)
    if (goesNow) {
      candidates(side) = row
      ranks(side) = rank
    }
  }

  /** The rank of a row by what is known. */
  private def rankNow(side: Int, row: Int): Double = {
    val worth =
      if (measured(side) == Origin.Unknown) 0
      else ranked(side).at(LeastWorth.distance(coordinate(row), measured(side)))
    LeastWorth.ranked(rows.weight(row), worth)
  }

  protected def leave(row: Int): Unit = {
    val line = lineOf(row)
    val heir = rows.remove(line, row)
    if (line < Sides && candidates(line) == row && ranked(line) != null) succeed(line, heir)
    if (curves.isLearned) curves.stayed(tick - arrival(row))
  }

  /** The row goes that went first; the next one at its coordinate, if any, goes first if none elsewhere may. */
  private def succeed(side: Int, heir: Int): Unit = {
    val rank = if (heir == NoRow) Double.PositiveInfinity else rankNow(side, heir)
    if (rank < rests(side)) {
      candidates(side) = heir
      ranks(side) = rank
    } else ranked(side) = null
  }

  override protected def timeMoved(): Unit = curves.timeMoved()
  override protected def saveModel(out: DataOutput): Unit = {
    origin.save(out)
    curves.save(out)
  }
  override protected def restoreModel(in: DataInput): Unit = {
    origin.restore(in)
    curves.restore(in)
  }

  override def checkInvariants(): Unit = {
    super.checkInvariants()
    rows.checkInvariants()
  }
}

private object CurvePolicy {
  private val Sides = 2
  private val Coordinate = 0
  private val Arrival = 2

  private def stride(curves: WorthCurves): Int = if (curves.keepsArrivals) 4 else 2
}
