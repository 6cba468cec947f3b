package shedjoin.core.policy.score

import shedjoin.core.collection.BandSet
import shedjoin.core.join.Side
import shedjoin.core.policy.RowFacts
import shedjoin.core.{Budget, NoRow}

/** Sheds the row of least score, to a step of 1/256, where time alone changes no score. O(1) but for rows that come late:
  * O(log rows), amortised.
  */
final private[policy] class ScorePolicy(score: Score, facts: RowFacts, budget: Budget)
    extends BandedPolicy(score, facts, budget) {
  private val bands = new BandSet(budget)

  def nextVictim(): Int =
    if (bands.least == BandSet.NoBand) NoRow
    else {
      val left = rows.group(bands.least, Side.Left)
      val right = rows.group(bands.least, Side.Right)
      if (left == NoRow) rows.first(right) else firstOf(left, right)
    }

  def firstCame(group: Int): Unit = bands.put(rows.band(group))
  def firstWent(group: Int): Unit = ()
  def emptied(group: Int): Unit = if (rows.otherSide(group) == NoRow) bands.remove(rows.band(group))

  override def checkInvariants(): Unit = {
    super.checkInvariants()
    bands.checkInvariants()
  }
}
