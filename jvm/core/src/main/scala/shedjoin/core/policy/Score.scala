package shedjoin.core.policy

import java.io.{DataInput, DataOutput}

/** A rank that changes only when the row is matched. */
sealed private[policy] trait Score {

  /** The rank of a row that comes at `tick`. */
  def first(row: Int, tick: Long, matches: Int, facts: RowFacts): Double

  /** The rank of a row matched at `tick`, whose rank was `before`. */
  def matched(tick: Long, before: Double): Double

  def observed(side: Int, value: Long): Unit = ()
  def save(out: DataOutput): Unit = ()
  def restore(in: DataInput): Unit = ()
}

private[policy] object Score {

  /** A score that matches do not change. */
  sealed trait Fixed extends Score {
    def matched(tick: Long, before: Double): Double = before
  }

  /** The row that came first goes first: FIFO, and RECENT of paper 1. */
  object Arrival extends Fixed {
    def first(row: Int, tick: Long, matches: Int, facts: RowFacts): Double = tick.toDouble
  }

  /** The row that came last goes first: UNTIL-EXPIRY of paper 1. */
  object LateArrival extends Fixed {
    def first(row: Int, tick: Long, matches: Int, facts: RowFacts): Double = -tick.toDouble
  }

  /** The row least recently matched goes first; one never matched counts as matched when it came. */
  object LastMatch extends Score {
    def first(row: Int, tick: Long, matches: Int, facts: RowFacts): Double = tick.toDouble
    def matched(tick: Long, before: Double): Double = tick.toDouble
  }

  /** The row with fewest matches goes first. */
  object Matches extends Score {
    def first(row: Int, tick: Long, matches: Int, facts: RowFacts): Double = matches.toDouble
    def matched(tick: Long, before: Double): Double = before + 1
  }

  /** The row of least importance goes first: GREEDY of paper 2, section 4. */
  object Importance extends Fixed {
    def first(row: Int, tick: Long, matches: Int, facts: RowFacts): Double = facts.importance(row)
  }

  /** The row goes first that expects fewest partners a tick: PROB (paper 1, section 3.3), SIZE (paper 2, section 5). */
  final class Rate(rates: RateSource) extends Score {
    def first(row: Int, tick: Long, matches: Int, facts: RowFacts): Double =
      rates.rate(facts.side(row), facts.value(row))
    def matched(tick: Long, before: Double): Double = if (rates.isCounted) before + 1 else before
    override def observed(side: Int, value: Long): Unit = rates.observed(side, value)
    override def save(out: DataOutput): Unit = rates.save(out)
    override def restore(in: DataInput): Unit = rates.restore(in)
  }
}
