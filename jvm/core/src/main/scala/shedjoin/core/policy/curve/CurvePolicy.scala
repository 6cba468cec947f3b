package shedjoin.core.policy.curve

import java.io.{DataInput, DataOutput}

import shedjoin.core.collection.RangeFirsts
import shedjoin.core.join.Side
import shedjoin.core.model.GridCurve
import shedjoin.core.policy.{RowFacts, TabledPolicy, TieOrder, Weighing}
import shedjoin.core.{Budget, NoRow}

/** Sheds the row of least rank, where a row's worth is a curve, one a side, over its distance from a moving origin.
  *
  * AGE (paper 1, section 3.2.1) by the distance of a row's arrival from now; HEEB (paper 3, sections 6.1, 7.3 to 7.5) by
  * the distance of its value from the other stream's trend or latest value; where that is not all, by another curve for
  * each cell of the latest value, or for each step. Rows lie sorted by where they are, so the origin moves for nothing. The
  * row that goes first of a side is known until it goes or the origin moves; then it is looked for anew ([[LeastRankSearch]]).
  */
private[policy] class CurvePolicy(
    curves: WorthCurves,
    origin: CurveOrigin,
    weighing: Weighing,
    facts: RowFacts,
    budget: Budget
) extends TabledPolicy(facts, CurvePolicy.stride(curves, origin), budget) {
  import CurvePolicy._

  private val order = new TieOrder(facts) {
    override def coordinate(row: Int): Long = CurvePolicy.this.coordinate(row)
    override def weight(row: Int): Double = weighing.atLeast0(row)
  }
  private val rows = new RangeFirsts(2 * Sides, order, budget)
  private val least = new LeastRankSearch(rows, facts, budget)

  /** Of each side the row that goes first, with its rank, its second number, where it lies and what rows there are worth, and a
    * rank that no row at another coordinate is below; by which curve, measured from where; no curve where it is not known.
    */
  private val candidates = Array(NoRow, NoRow)
  private val ranks, worths, rests = new Array[Double](Sides)
  private val seconds, places, measured = new Array[Long](Sides)
  private val ranked = new Array[GridCurve](Sides)
  private val versions = new Array[Int](Sides)
  budget.reserve(2 * Budget.arrayBytes(Sides, 4) + 7 * Budget.arrayBytes(Sides, 8))

  /** Where a row lies is kept where it does not follow from its value, before when it came. */
  private val isPlaceKept = !origin.isByValue
  private val arrivalField = if (isPlaceKept) 2 else 0

  /** Whether a row is kept as long as there are others. */
  protected def isSpared(row: Int): Boolean = false
  private def lineOf(row: Int): Int = if (isSpared(row)) Sides + facts.side(row) else facts.side(row)

  private def coordinate(row: Int): Long =
    if (isPlaceKept) cells.getLong(row, Coordinate) else origin.coordinate(facts.side(row), tick, facts.value(row))

  /** When the row came, where that is kept. */
  final protected def arrival(row: Int): Long = cells.getLong(row, arrivalField)

  override def observed(side: Int, value: Long): Unit = origin.observed(side, value, tick)
  def matched(row: Int): Unit = ()

  final def nextVictim(): Int = {
    lookUp(Side.Left)
    lookUp(Side.Right)
    val left = candidates(Side.Left)
    val right = candidates(Side.Right)
    if (left == NoRow && right == NoRow) spared()
    else if (left == NoRow) right
    else if (right == NoRow || goesBefore(left, ranks(Side.Left), seconds(Side.Left), Side.Right)) left
    else right
  }

  /** Whether a row goes before the one that goes first of a side. */
  private def goesBefore(row: Int, rank: Double, second: Long, side: Int): Boolean =
    rank < ranks(side) || rank == ranks(side) &&
      (second < seconds(side) || second == seconds(side) && facts.compare(row, candidates(side)) < 0)

  /** Finds the row of a side that goes first, unless that is known. */
  private def lookUp(side: Int): Unit = {
    val from = origin.origin(side, tick)
    val curve = curves(side, origin.curve(side, tick))
    if ((ranked(side) ne curve) || versions(side) != curve.version || measured(side) != from) {
      ranked(side) = curve
      versions(side) = curve.version
      measured(side) = from
      if (from == CurveOrigin.Unknown) lookAmongAlike(side) else lookByWorth(side)
    }
  }

  private def lookAmongAlike(side: Int): Unit = {
    rests(side) = 0
    val row = rows.firstWithin(side, Long.MinValue, Long.MaxValue)
    if (row == NoRow) candidates(side) = NoRow
    else name(side, row, LeastRankSearch.ranked(rows.weight(row), 0), rows.second(row), rows.placeOf(row))
  }

  private def lookByWorth(side: Int): Unit = {
    least.find(side, ranked(side), measured(side))
    rests(side) = least.rest
    if (least.row == NoRow) candidates(side) = NoRow
    else name(side, least.row, least.rank, least.second, rows.placeOf(least.row))
  }

  /** A row goes first of a side. */
  private def name(side: Int, row: Int, rank: Double, second: Long, place: Long): Unit = {
    candidates(side) = row
    ranks(side) = rank
    seconds(side) = second
    places(side) = place
    worths(side) = worthAt(side, place)
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
    if (isPlaceKept) cells.putLong(row, Coordinate, origin.coordinate(facts.side(row), tick, facts.value(row)))
    if (curves.keepsArrivals) cells.putLong(row, arrivalField, tick)
  }

  protected def enter(row: Int): Unit = {
    val line = lineOf(row)
    rows.add(line, row)
    if (line < Sides && ranked(line) != null) compete(line, row)
  }

  /** A row came that may go before the one known to go first. */
  private def compete(side: Int, row: Int): Unit = {
    val first = candidates(side)
    val place = coordinate(row)
    val rank = LeastRankSearch.ranked(rows.weight(row), worthAt(side, place))
    val second = rows.second(row)
    val goesNow = first == NoRow || goesBefore(row, rank, second, side)
    if (first != NoRow && place != places(side)) rests(side) = math.min(rests(side), if (goesNow) ranks(side) else rank)
    if (goesNow) name(side, row, rank, second, place)
  }

  /** What rows at a coordinate are worth by what is known. */
  private def worthAt(side: Int, place: Long): Double =
    if (measured(side) == CurveOrigin.Unknown) 0 else ranked(side).at(LeastRankSearch.distance(place, measured(side)))

  protected def leave(row: Int): Unit = {
    val line = lineOf(row)
    val heir = rows.remove(line, row)
    if (line < Sides && candidates(line) == row && ranked(line) != null) succeed(line, heir)
    if (curves.isLearned) curves.stayed(tick - arrival(row))
  }

  /** The row goes that went first; the next one at its coordinate, if any, goes first if none elsewhere may. */
  private def succeed(side: Int, heir: Int): Unit = {
    val rank = if (heir == NoRow) Double.PositiveInfinity else LeastRankSearch.ranked(rows.weight(heir), worths(side))
    if (rank < rests(side)) {
      candidates(side) = heir
      ranks(side) = rank
      seconds(side) = rows.second(heir)
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

  private def stride(curves: WorthCurves, origin: CurveOrigin): Int =
    (if (origin.isByValue) 0 else 2) + (if (curves.keepsArrivals) 2 else 0)
}
