package shedjoin.core.policy.score

import java.io.{DataInput, DataOutput}

import shedjoin.core.collection.{BandFirsts, FirstRowListener}
import shedjoin.core.policy.{RowFacts, TabledPolicy, TieOrder}
import shedjoin.core.{Budget, NoRow}

/** Keeps rows in bands of their score, of which only the first ones compete: per band and side the row with least life left.
  *
  * So a victim's rank is the least one but for a step of 1/256 (docs/decisions/0017).
  */
abstract private[policy] class BandedPolicy(score: Score, facts: RowFacts, budget: Budget)
    extends TabledPolicy(facts, stride = 0, budget)
    with FirstRowListener {
  protected val rows = new BandFirsts(new TieOrder(facts), this, budget)

  /** The first row of two groups of equal rank, or of the first one where there is no other. */
  final protected def firstOf(group: Int, other: Int): Int =
    if (other == NoRow) rows.first(group) else rows.firstOf(group, other)

  override def observed(side: Int, value: Long): Unit = score.observed(side, value)

  def matched(row: Int): Unit = {
    val before = rows.score(row)
    val after = score.matched(row, tick, before)
    if (after != before) {
      rows.remove(row)
      rows.put(row, facts.side(row), after)
    }
  }

  /** Makes room for all groups that there may be. */
  protected def ensureGroups(): Unit = ()

  protected def ensureRoom(row: Int): Unit = {
    rows.ensureRoom(row)
    ensureGroups()
  }
  protected def noteArrival(row: Int, matches: Int): Unit =
    rows.put(row, facts.side(row), score.first(row, tick, matches, facts))
  protected def enter(row: Int): Unit = ()
  protected def leave(row: Int): Unit = rows.remove(row)
  override protected def timeMoved(): Unit = score.advance(tick, count)
  override protected def saveModel(out: DataOutput): Unit = {
    score.save(out)
    rows.save(out)
  }
  override protected def restoreModel(in: DataInput): Unit = {
    score.restore(in)
    rows.restore(in)
    ensureGroups()
  }
  override protected def saveRow(row: Int, out: DataOutput): Unit = out.writeDouble(rows.score(row))
  override protected def restoreRow(row: Int, in: DataInput): Unit = rows.put(row, facts.side(row), in.readDouble())

  override def checkInvariants(): Unit = {
    super.checkInvariants()
    rows.checkInvariants()
  }
}
