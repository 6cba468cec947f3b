package shedjoin.core.policy.age

import java.io.{DataInput, DataOutput}

import shedjoin.core.Budget
import shedjoin.core.collection.IdSet
import shedjoin.core.model.LearnedCurve
import shedjoin.core.policy.curve.{CurveOrigin, CurvePolicy, WorthCurves}
import shedjoin.core.policy.{RowFacts, Weighing}

/** AGE with age curves learned from when stored rows meet partners.
  *
  * What is shed early is never seen at higher ages; so one row in `RowsAnExplorer` is spared until it expires, at even
  * distances in time, and the curves count by how many rows were there to be matched. Where a ledger knows the curves
  * nothing need be spared. Windows are given, or as long as the
  * longest life of a row; without either all rows are alike.
  */
final private[policy] class LearnedAgePolicy(
    windows: Array[Long],
    learned: Array[LearnedCurve],
    weighing: Weighing,
    facts: RowFacts,
    budget: Budget
) extends CurvePolicy(
      new WorthCurves.Refilled(learned.map(_.curve)),
      new CurveOrigin.Now(learned.map(_.curve), LearnedAgePolicy.StepsACell),
      weighing,
      facts,
      budget
    ) {
  import LearnedAgePolicy._

  private val explorers = new IdSet(budget)
  private val stored, exploring = new Array[Int](2)
  private val longest = windows.clone()
  private val lastPick = Array(Long.MinValue / 2, Long.MinValue / 2)
  budget.reserve(2 * Budget.arrayBytes(2, 4) + 2 * Budget.arrayBytes(2, 8))

  override protected def isSpared(row: Int): Boolean = explorers.contains(row)

  override def matched(row: Int): Unit = learned(facts.side(row)).model.met(arrival(row), 1)

  override protected def timeMoved(): Unit = {
    var side = 0
    while (side < 2) {
      learned(side).model.windowIs(longest(side))
      learned(side).advance(tick)
      side += 1
    }
  }

  override protected def ensureRoom(row: Int): Unit = {
    super.ensureRoom(row)
    explorers.ensureRoom(row)
  }

  override protected def noteArrival(row: Int, matches: Int): Unit = {
    super.noteArrival(row, matches)
    val side = facts.side(row)
    val life = facts.lifeLeft(row, tick)
    if (windows(side) == 0 && life != RowFacts.Never) longest(side) = math.max(longest(side), life)
    learned(side).model.entered(1)
    if (isToExplore(side)) {
      explorers.put(row)
      lastPick(side) = tick
    }
  }

  private def isToExplore(side: Int): Boolean = {
    val wanted = stored(side) / RowsAnExplorer
    learned(side).model.needsRows && exploring(side) < wanted && tick - lastPick(side) >= longest(side) / wanted
  }

  override protected def enter(row: Int): Unit = {
    super.enter(row)
    count(row, 1)
  }

  override protected def leave(row: Int): Unit = {
    super.leave(row)
    count(row, -1)
    if (isSpared(row)) explorers.remove(row)
    learned(facts.side(row)).model.left(arrival(row), 1)
  }

  private def count(row: Int, rows: Int): Unit = {
    stored(facts.side(row)) += rows
    if (isSpared(row)) exploring(facts.side(row)) += rows
  }

  override protected def saveModel(out: DataOutput): Unit = {
    learned.foreach(_.save(out))
    (longest ++ lastPick).foreach(out.writeLong)
  }

  override protected def restoreModel(in: DataInput): Unit = {
    learned.foreach(_.restore(in))
    Seq(longest, lastPick).foreach(of => of.indices.foreach(of(_) = in.readLong()))
  }

  override protected def saveRow(row: Int, out: DataOutput): Unit = {
    out.writeBoolean(isSpared(row))
    super.saveRow(row, out)
  }

  override protected def restoreRow(row: Int, in: DataInput): Unit = {
    if (in.readBoolean()) explorers.put(row)
    super.restoreRow(row, in)
  }
}

private object LearnedAgePolicy {
  private val RowsAnExplorer = 50

  /** What rounding ages costs is to be less than what cells do. */
  private val StepsACell = 2L
}
