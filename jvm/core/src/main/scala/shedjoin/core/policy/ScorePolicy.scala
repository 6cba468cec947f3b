package shedjoin.core.policy

import java.io.{DataInput, DataOutput}

import shedjoin.core.Budget
import shedjoin.core.collection.{RankTies, RankTree}

/** Sheds the row of least score, where time alone changes no score. The tree of ranks keeps all there is of a row. */
final private[policy] class ScorePolicy(score: Score, facts: RowFacts, budget: Budget)
    extends TabledPolicy(facts, stride = 0, budget)
    with RankTies {
  private val rows = new RankTree(this, budget)

  def second(row: Int): Long = facts.lastTick(row)
  def compare(a: Int, b: Int): Int = facts.compareContent(a, b)

  override def observed(side: Int, value: Long): Unit = score.observed(side, value)

  def matched(row: Int): Unit = {
    val before = rows.rank(row)
    val after = score.matched(row, tick, before)
    if (after != before) rows.put(row, after)
  }

  def nextVictim(): Int = rows.first

  protected def ensureRoom(row: Int): Unit = rows.ensureRoom(row)
  protected def noteArrival(row: Int, matches: Int): Unit = rows.put(row, score.first(row, tick, matches, facts))
  protected def enter(row: Int): Unit = ()
  protected def leave(row: Int): Unit = rows.remove(row)
  override protected def timeMoved(): Unit = score.advance(tick, count)
  override protected def saveModel(out: DataOutput): Unit = score.save(out)
  override protected def restoreModel(in: DataInput): Unit = score.restore(in)
  override protected def saveRow(row: Int, out: DataOutput): Unit = out.writeDouble(rows.rank(row))
  override protected def restoreRow(row: Int, in: DataInput): Unit = rows.put(row, in.readDouble())

  override def checkInvariants(): Unit = {
    super.checkInvariants()
    rows.checkInvariants()
  }
}
