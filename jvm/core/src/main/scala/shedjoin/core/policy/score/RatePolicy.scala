package shedjoin.core.policy.score

import shedjoin.core.collection.BandFirsts.Bands
import shedjoin.core.collection.{RankTree, RowOrder}
import shedjoin.core.model.{Horizon, LogNumber}
import shedjoin.core.policy.RowFacts
import shedjoin.core.{Budget, NoRow}

/** Sheds the row of least rank, to a step of 1/128: its rate, which is how many partners it expects a tick, weighed, x what the
  * life it has left is worth.
  *
  * LIFE (paper 3, section 1) and, with L^exp, HEEB for stationary streams (paper 3, section 7.2), there with a
  * window too. Of rows of one band of rates the one with least life left ranks lowest, so only the first ones of the groups
  * compete, by the bands in which their ranks lie now. Ranks fall only, so each group stands at a band that its rank is not
  * below until a tick that is known: near the least one at its own, else half-way down to that, and it is looked at again at
  * that tick, or when it is the first. A victim costs O(log groups), amortised, and a group is looked at again each time its
  * first row's life left, or its distance from the victims, has become less by some part.
  */
final private[policy] class RatePolicy(score: Score.Rate, horizon: Horizon, facts: RowFacts, budget: Budget)
    extends BandedPolicy(score, facts, budget) {
  import RatePolicy._

  /** The groups, by the bands at which they stand. */
  private val groups = new RankTree(new OfGroups, budget)
  private val dues = new RankTree(RowOrder.ById, budget)

  /** Of groups of equal rank the one of the higher band has less life left. */
  final private class OfGroups extends RowOrder {
    override def second(group: Int): Long = -rows.band(group)
    def compare(a: Int, b: Int): Int = Integer.compare(a, b)
  }

  def nextVictim(): Int = {
    var group = groups.first
    var isSettled = group == NoRow
    while (!isSettled) {
      val band = bandNow(group)
      isSettled = band <= groups.rank(group)
      if (!isSettled) {
        settle(group, band)
        group = groups.first
      }
    }
    if (group == NoRow) NoRow else firstOf(group, rival(group))
  }

  /** The group of the same band of the other side, where its rank lies in the same band, or `NoRow`. */
  private def rival(group: Int): Int = {
    val other = rows.otherSide(group)
    if (other != NoRow && bandNow(other) == groups.rank(group)) other else NoRow
  }

  def firstCame(group: Int): Unit = look(group)

  /** The group's rank is no lower than it was, so it stands where it stood. */
  def firstWent(group: Int): Unit = ()

  /** Has a group stand near its rank. */
  private def look(group: Int): Unit = {
    val band = bandNow(group)
    val least = if (groups.first == NoRow) band else math.min(band, groups.rank(groups.first))
    settle(group, least + (band - least + 1) / 2)
  }

  def emptied(group: Int): Unit = {
    groups.remove(group)
    dues.remove(group)
  }

  /** The band of the least rank of a group. */
  private def bandNow(group: Int): Long = {
    val last = rows.firstSecond(group)
    val worth = horizon.worth(if (last == RowFacts.Never) last else last - tick)
    (LogNumber.times(rows.band(group) / Bands, worth) * Bands).toLong
  }

  /** A group stands at this band from now on, which its rank is not below. */
  private def settle(group: Int, band: Long): Unit = {
    if (groups.rank(group) != band) groups.put(group, band)
    val next = due(group, band)
    if (dues.rank(group) != next) dues.put(group, next)
  }

  /** The first tick from the next one on at which the group's rank may lie below this band. */
  private def due(group: Int, band: Long): Long = {
    val last = rows.firstSecond(group)
    if (band <= 0 || last == RowFacts.Never) Forever
    else {
      val rate = rows.band(group) / Bands
      val unit = LogNumber.exponentOf(rate)
      val worth = LogNumber.over(band / Bands, unit) / LogNumber.over(rate, unit) * (1 + RoundingError)
      val life = horizon.lifeOf(math.min(worth, horizon.worth(last - tick)))
      math.max(tick + 1, last - math.floor(life).toLong)
    }
  }

  override protected def ensureGroups(): Unit = {
    groups.ensureRoom(rows.groupRoom - 1)
    dues.ensureRoom(rows.groupRoom - 1)
  }

  override protected def timeMoved(): Unit = {
    super.timeMoved()
    while (dues.first != NoRow && dues.rank(dues.first) <= tick) look(dues.first)
  }

  override def checkInvariants(): Unit = {
    super.checkInvariants()
    groups.checkInvariants()
    dues.checkInvariants()
  }
}

private object RatePolicy {
  private val Forever = RankTree.NoRank - 1

  /** More than the rounding errors of a rank come to. */
  private val RoundingError = 1e-8
}
