package shedjoin.core.policy

import shedjoin.core.Budget
import shedjoin.core.collection.RankTree
import shedjoin.core.policy.RowFacts.NoRow

/** Sheds the row of least score, to a step of 1/256, where time alone changes no score. O(1) but for rows that come late:
  * O(log rows), amortised; and O(log bands) where a band gets its first row, or loses its last one.
  */
final private[policy] class ScorePolicy(score: Score, facts: RowFacts, budget: Budget)
    extends BandedPolicy(score, facts, budget) {
  protected val groups = new RankTree(Untied, budget)

  def nextVictim(): Int = if (groups.first == NoRow) NoRow else firstOf(groups.first, rows.otherSide(groups.first))

  def firstChanged(group: Int): Unit = if (groups.rank(group) == RankTree.NoRank) groups.put(group, rows.band(group))
  def emptied(group: Int): Unit = groups.remove(group)
}
