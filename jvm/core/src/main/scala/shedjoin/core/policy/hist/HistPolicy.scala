package shedjoin.core.policy.hist

import java.io.{DataInput, DataOutput}

import shedjoin.core.collection.RangeFirsts
import shedjoin.core.join.Side
import shedjoin.core.model.BenefitHistogram
import shedjoin.core.policy.curve.CurveOrigin
import shedjoin.core.policy.{RowFacts, TabledPolicy, TieOrder}
import shedjoin.core.{Budget, NoRow}

/** Sheds the row of least worth, where worth is what rows brought that came as far from the other stream's trend, or from
  * its latest value, as this one is now (paper 3, section 6.2).
  *
  * Rows lie sorted by value; a victim is looked for in the buckets of least worth: O(buckets x log rows).
  */
final private[policy] class HistPolicy(
    histograms: Array[BenefitHistogram],
    origin: CurveOrigin,
    facts: RowFacts,
    budget: Budget
) extends TabledPolicy(facts, 0, budget) {
  import HistPolicy._
  import RangeFirsts.Own

  private val order = new TieOrder(facts) {
    override def coordinate(row: Int): Long = HistPolicy.this.coordinate(row)
  }
  private val rows = new RangeFirsts(Sides, order, budget, Fields)
  private val kept = rows.cells

  /** Of each side a stored row that was found in a bucket of least worth, or `NoRow`. */
  private val witnesses = Array(NoRow, NoRow)
  budget.reserve(Budget.arrayBytes(Sides, 4))
  private var victim = NoRow
  private var least = 0.0

  private def coordinate(row: Int): Long = kept.getLong(row, Coordinate)

  override def observed(side: Int, value: Long): Unit = origin.observed(side, value, tick)
  def matched(row: Int): Unit = kept(row, Matches) = kept(row, Matches) + 1

  def nextVictim(): Int = {
    victim = NoRow
    least = Double.PositiveInfinity
    val left = origin.origin(Side.Left, tick)
    val right = origin.origin(Side.Right, tick)
    lower(Side.Left, left)
    lower(Side.Right, right)
    consider(Side.Left, left)
    consider(Side.Right, right)
    victim
  }

  /** Finds the least worth of buckets that hold rows: the first ones by worth are looked into, up to one that does. */
  private def lower(side: Int, from: Long): Unit = if (!rows.isEmpty(side)) {
    if (from == CurveOrigin.Unknown) least = math.min(least, 0)
    else {
      val histogram = histograms(side)
      val lowest = rows.least(side)
      val highest = rows.greatest(side)
      var place = 0
      while (place < histogram.size && histogram.worth(histogram.byWorth(place)) < least) {
        val bucket = histogram.byWorth(place)
        val isInReach = from + histogram.from(bucket) <= highest && from + histogram.to(bucket) >= lowest
        if (isInReach && isTaken(side, from, bucket)) least = histogram.worth(bucket)
        place += 1
      }
    }
  }

  /** Whether a row lies in a bucket: O(1) where the one found last is still there. */
  private def isTaken(side: Int, from: Long, bucket: Int): Boolean = {
    val low = from + histograms(side).from(bucket)
    val high = from + histograms(side).to(bucket)
    val known = witnesses(side)
    if (known != NoRow && coordinate(known) >= low && coordinate(known) <= high) true
    else {
      val row = rows.ceiling(side, low)
      val isFound = row != NoRow && coordinate(row) <= high
      if (isFound) witnesses(side) = row
      isFound
    }
  }

  /** Finds the first row of the buckets of the least worth; those beside each other are one range. */
  private def consider(side: Int, from: Long): Unit =
    if (from == CurveOrigin.Unknown) {
      if (least == 0) take(rows.firstWithin(side, Long.MinValue, Long.MaxValue))
    } else {
      val histogram = histograms(side)
      var bucket = 0
      while (bucket < histogram.size) {
        val first = bucket
        while (bucket < histogram.size && histogram.worth(bucket) == least) bucket += 1
        if (bucket > first) take(rows.firstWithin(side, from + histogram.from(first), from + histogram.to(bucket - 1)))
        bucket += 1
      }
    }

  private def take(row: Int): Unit =
    if (row != NoRow && (victim == NoRow || facts.compareTied(row, victim) < 0)) victim = row

  protected def ensureRoom(row: Int): Unit = rows.ensureRoom(row)
  protected def noteArrival(row: Int, matches: Int): Unit = {
    val side = facts.side(row)
    val from = origin.origin(side, tick)
    kept(row, OfSide) = side
    kept.putLong(row, Coordinate, facts.value(row))
    kept.putLong(row, Arrival, tick)
    kept.putLong(row, Offset, if (from == CurveOrigin.Unknown) CurveOrigin.Unknown else facts.value(row) - from)
    // What it met when it came it met without being stored.
    kept(row, Matches) = 0
  }
  protected def enter(row: Int): Unit = rows.add(kept(row, OfSide), row)
  protected def leave(row: Int): Unit = {
    val side = kept(row, OfSide)
    val offset = kept.getLong(row, Offset)
    val ticks = tick - kept.getLong(row, Arrival)
    if (witnesses(side) == row) witnesses(side) = NoRow
    rows.remove(side, row)
    if (offset != CurveOrigin.Unknown) histograms(side).observe(offset, kept(row, Matches).toDouble, ticks.toDouble)
  }
  override protected def saveRow(row: Int, out: DataOutput): Unit =
    (Own until Own + Fields).foreach(field => out.writeInt(kept(row, field)))
  override protected def restoreRow(row: Int, in: DataInput): Unit = {
    (Own until Own + Fields).foreach(field => kept(row, field) = in.readInt())
    enter(row)
  }
  override protected def saveModel(out: DataOutput): Unit = {
    origin.save(out)
    histograms.foreach(_.save(out))
  }
  override protected def restoreModel(in: DataInput): Unit = {
    origin.restore(in)
    histograms.foreach(_.restore(in))
  }

  override def checkInvariants(): Unit = {
    super.checkInvariants()
    rows.checkInvariants()
    histograms.foreach(_.checkInvariants())
    witnesses.indices.filter(witnesses(_) != NoRow).foreach { side =>
      val row = witnesses(side)
      assert(isStored(row) && kept(row, OfSide) == side, s"row $row is no witness of side $side")
    }
  }
}

private object HistPolicy {
  import RangeFirsts.Own
  private val Sides = 2
  private val Fields = 8
  private val Coordinate = Own
  private val Arrival = Own + 2
  private val Offset = Own + 4
  private val Matches = Own + 6
  private val OfSide = Own + 7
}
