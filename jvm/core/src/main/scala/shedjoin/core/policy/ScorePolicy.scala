package shedjoin.core.policy

import shedjoin.core.Budget
import shedjoin.core.collection.{RowRanking, Tournament}

/** Sheds the row of least score, where time alone changes no score. */
final private[policy] class ScorePolicy(score: Score, facts: RowFacts, budget: Budget)
    extends TabledPolicy(facts, ScorePolicy.Stride, budget)
    with RowRanking {
  import ScorePolicy._

  private val rows = new Tournament(this, budget)

  def precedes(a: Int, b: Int): Boolean = goesFirst(a, getDouble(a, Rank), b, getDouble(b, Rank))
  def holdsUntil(first: Int, second: Int): Long = RowRanking.Forever

  def matched(row: Int): Unit = {
    val before = getDouble(row, Rank)
    val after = score.matched(tick, before)
    if (after != before) {
      putDouble(row, Rank, after)
      rows.changed(row)
    }
  }

  def nextVictim(): Int = rows.first

  protected def ensureRoom(row: Int): Unit = rows.ensureRoom(row)
  protected def noteArrival(row: Int, matches: Int): Unit =
    putDouble(row, Rank, score.first(tick, matches, facts.importance(row)))
  protected def enter(row: Int): Unit = rows.add(row)
  protected def leave(row: Int): Unit = rows.remove(row)

  override def checkInvariants(): Unit = {
    super.checkInvariants()
    rows.checkInvariants()
  }
}

private object ScorePolicy {
  private val Stride = 2
  private val Rank = 0
}
