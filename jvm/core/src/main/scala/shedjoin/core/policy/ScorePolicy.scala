package shedjoin.core.policy

import java.io.{DataInput, DataOutput}

import shedjoin.core.Budget
import shedjoin.core.collection.{RankTree, RowTies}

/** Sheds the row of least score, where time alone changes no score. */
final private[policy] class ScorePolicy(score: Score, facts: RowFacts, budget: Budget)
    extends TabledPolicy(facts, ScorePolicy.Stride, budget)
    with RowTies {
  import ScorePolicy._

  private val rows = new RankTree(this, budget)

  def compare(a: Int, b: Int): Int = facts.compareContent(a, b)

  override def observed(side: Int, value: Long): Unit = score.observed(side, value)

  def matched(row: Int): Unit = {
    val before = getDouble(row, Rank)
    val after = score.matched(tick, before)
    if (after != before) {
      putDouble(row, Rank, after)
      enter(row)
    }
  }

  def nextVictim(): Int = rows.first

  protected def ensureRoom(row: Int): Unit = rows.ensureRoom(row)
  protected def noteArrival(row: Int, matches: Int): Unit =
    putDouble(row, Rank, score.first(row, tick, matches, facts))
  protected def enter(row: Int): Unit = rows.put(row, getDouble(row, Rank), facts.lastTick(row))
  protected def leave(row: Int): Unit = rows.remove(row)
  override protected def saveModel(out: DataOutput): Unit = score.save(out)
  override protected def restoreModel(in: DataInput): Unit = score.restore(in)

  override def checkInvariants(): Unit = {
    super.checkInvariants()
    rows.checkInvariants()
  }
}

private object ScorePolicy {
  private val Stride = 2
  private val Rank = 0
}
