package shedjoin.core.policy

import java.io.{DataInput, DataOutput}

import shedjoin.core.Budget
import shedjoin.core.collection.{OrderedRows, RowOrder}
import shedjoin.core.model.GridCurve
import shedjoin.core.policy.RowFacts.NoRow

/** Sheds the row of least worth, where worth is a curve, one a side, over the distance from a moving origin.
  *
  * AGE (paper 1, section 3.2.1) by the distance of a row's arrival from now; HEEB (paper 3, sections 6.1, 7.3 to 7.5) by
  * the distance of its value from the other stream's trend or latest value; where that is not all, by another curve for
  * each cell of the latest value, or for each step. Rows lie sorted by where they are; of each run of the curve only those
  * at its lower end are looked at. So the origin moves for nothing, and a victim costs O(runs of both curves x log rows).
  */
private[policy] class CurvePolicy(curves: WorthCurves, origin: Origin, facts: RowFacts, budget: Budget)
    extends TabledPolicy(facts, CurvePolicy.stride(curves), budget)
    with RowOrder {
  import CurvePolicy._

  /** With one curve a side. */
  def this(curves: Array[GridCurve], origin: Origin, facts: RowFacts, budget: Budget) =
    this(new WorthCurves.Given(curves.map(Array(_))), origin, facts, budget)

  private val rows = new OrderedRows(2 * Sides, this, budget)
  private var victim = NoRow
  private var victimRank = 0.0

  /** Whether a row is kept as long as there are others. */
  protected def isSpared(row: Int): Boolean = false
  private def lineOf(row: Int): Int = if (isSpared(row)) Sides + facts.side(row) else facts.side(row)

  final def coordinate(row: Int): Long = cells.getLong(row, Coordinate)
  override def second(row: Int): Long = facts.lastTick(row)
  def compare(a: Int, b: Int): Int = facts.compareContent(a, b)

  override def observed(side: Int, value: Long): Unit = origin.observed(side, value, tick)
  def matched(row: Int): Unit = ()

  final def nextVictim(): Int = {
    victim = NoRow
    var side = 0
    while (side < Sides) {
      val from = origin.origin(side, tick)
      if (from == Origin.Unknown) consider(rows.firstWithin(side, Long.MinValue, Long.MaxValue), 0)
      else {
        val curve = curves(side, origin.curve(side, tick))
        var run = 0
        while (run < curve.runs) {
          considerRun(side, curve, run, from)
          run += 1
        }
      }
      side += 1
    }
    if (victim == NoRow) considerSpared()
    victim
  }

  private def considerSpared(): Unit = {
    consider(rows.firstWithin(Sides, Long.MinValue, Long.MaxValue), 0)
    consider(rows.firstWithin(Sides + 1, Long.MinValue, Long.MaxValue), 0)
  }

  private def considerRun(side: Int, curve: GridCurve, run: Int, from: Long): Unit = {
    val low = from + curve.runFrom(run)
    val high = from + curve.runTo(run)
    val end = if (curve.rises(run)) rows.ceiling(side, low) else rows.floor(side, high)
    if (end != NoRow) {
      val at = coordinate(end)
      if (at >= low && at <= high) {
        val offset = at - from
        val equals = rows.firstWithin(side, from + curve.flatFrom(offset, run), from + curve.flatTo(offset, run))
        consider(equals, curve.at(offset))
      }
    }
  }

  private def consider(row: Int, rank: Double): Unit =
    if (row != NoRow && (victim == NoRow || goesFirst(row, rank, victim, victimRank))) {
      victim = row
      victimRank = rank
    }

  protected def ensureRoom(row: Int): Unit = rows.ensureRoom(row)
  protected def noteArrival(row: Int, matches: Int): Unit = {
    cells.putLong(row, Coordinate, origin.coordinate(tick, facts.value(row)))
    if (curves.isLearned) cells.putLong(row, Arrival, tick)
  }
  protected def enter(row: Int): Unit = rows.add(lineOf(row), row)
  protected def leave(row: Int): Unit = {
    rows.remove(lineOf(row), row)
    if (curves.isLearned) curves.stayed(tick - cells.getLong(row, Arrival))
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

  private def stride(curves: WorthCurves): Int = if (curves.isLearned) 4 else 2
}
