package shedjoin.core.policy.score

import java.io.{DataInput, DataOutput}

import shedjoin.core.model.LogNumber
import shedjoin.core.policy.{RowFacts, Weighing}

/** A rank, or the part of one that time does not change: it changes only when the row is matched. A
  * [[shedjoin.core.model.LogNumber]]; what is not above 0 is 0.
  */
sealed private[policy] trait Score {

  /** The score of a row that comes at `tick`. */
  def first(row: Int, tick: Long, matches: Int, facts: RowFacts): Double

  /** The score of a row matched at `tick`, whose score was `before`. */
  def matched(row: Int, tick: Long, before: Double): Double

  /** Time has come to `tick`, with so many rows stored. */
  def advance(tick: Long, stored: Int): Unit = ()
  def observed(side: Int, value: Long): Unit = ()
  def save(out: DataOutput): Unit = ()
  def restore(in: DataInput): Unit = ()
}

private[policy] object Score {

  /** A score that matches do not change. */
  sealed trait Fixed extends Score {
    def matched(row: Int, tick: Long, before: Double): Double = before
  }

  /** The row with fewest matches goes first. */
  object Matches extends Score {
    def first(row: Int, tick: Long, matches: Int, facts: RowFacts): Double = LogNumber.of(matches.toDouble, 0)
    def matched(row: Int, tick: Long, before: Double): Double = LogNumber.of(LogNumber.over(before, 0) + 1, 0)
  }

  /** The row of least importance goes first: GREEDY of paper 2, section 4. */
  object Importance extends Fixed {
    def first(row: Int, tick: Long, matches: Int, facts: RowFacts): Double = LogNumber.of(facts.importance(row), 0)
  }

  /** The row goes first that expects fewest partners a tick, weighed: PROB (paper 1, section 3.3), SIZE (paper 2, section 5). */
  final class Rate(rates: RateSource, weighing: Weighing) extends Score {
    def first(row: Int, tick: Long, matches: Int, facts: RowFacts): Double = {
      rates.stored(facts.lifeLeft(row, tick))
      weighed(row, rates.rate(facts.side(row), facts.value(row)))
    }
    def matched(row: Int, tick: Long, before: Double): Double =
      if (rates.isCounted) weighed(row, rates.matched(unweighed(row, before))) else before

    private def weighed(row: Int, rate: Double): Double =
      if (weighing.isAny) LogNumber.times(rate, weighing.factor(row)) else rate

    /** The rate itself: it has fewer bits than its product, so that rounding gives it back. */
    private def unweighed(row: Int, score: Double): Double =
      if (weighing.isAny) LogNumber.times(score, 1 / weighing.factor(row)) else score

    override def advance(tick: Long, stored: Int): Unit = rates.advance(tick, stored)
    override def observed(side: Int, value: Long): Unit = rates.observed(side, value)
    override def save(out: DataOutput): Unit = rates.save(out)
    override def restore(in: DataInput): Unit = rates.restore(in)
  }
}
