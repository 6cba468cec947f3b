package shedjoin.core.policy.score

import java.io.{DataInput, DataOutput}

import shedjoin.core.Budget
import shedjoin.core.join.Side
import shedjoin.core.model.{DecayClock, LogNumber, RateSketch, ShareWatch}

/** Where it is known from how many partners a row expects a tick, as [[shedjoin.core.model.LogNumber]]: given, or
  * counted.
  *
  * Counted are the partners that came so far, of both sides over the same time and with the same decay: in a sketch until a
  * row comes, and by its own matches from then on, which all partners are. Where other values begin to come than did, what
  * was counted before is forgotten.
  */
sealed private[policy] trait RateSource {
  def isCounted: Boolean
  def rate(side: Int, value: Long): Double

  /** The rate of a row matched now, whose rate was `before`. */
  def matched(before: Double): Double = before

  def observed(side: Int, value: Long): Unit = ()
  def advance(tick: Long, stored: Int): Unit = ()

  /** A row was stored that can be met for so many ticks. */
  def stored(life: Long): Unit = ()

  def save(out: DataOutput): Unit = ()
  def restore(in: DataInput): Unit = ()
}

private[policy] object RateSource {

  final class Given(rates: Rates, budget: Budget) extends RateSource {
    budget.reserve(rates.bytes)
    def isCounted: Boolean = false
    def rate(side: Int, value: Long): Double = LogNumber.of(rates(side, value), 0)
  }

  /** @param halfLife in ticks, or 0; see [[shedjoin.core.model.DecayClock]]
    * @param width of the sketch, or 0 for what the budget allows
    */
  final class Counted(halfLife: Long, width: Int, budget: Budget) extends RateSource {
    private val clock = new DecayClock(halfLife)
    private val sketch = new RateSketch(if (width > 0) width else RateSketch.widthFor(budget), clock, budget)

    private val watch = new ShareWatch(budget)

    def isCounted: Boolean = true
    def rate(side: Int, value: Long): Double = sketch.count(Side.other(side), value)

    /** Rounded as the sketch rounds, so that rows of one value stay equal. */
    override def matched(before: Double): Double =
      LogNumber.of((LogNumber.over(before, clock.exponent).toFloat + clock.weight).toDouble, clock.exponent)

    override def observed(side: Int, value: Long): Unit = {
      clock.counted()
      if (watch.isChange(side, sketch.add(side, value))) clock.forget()
    }
    override def advance(tick: Long, stored: Int): Unit = {
      if (clock.isForgetting) sketch.clear()
      clock.advance(tick, stored)
      sketch.advanced()
    }
    override def stored(life: Long): Unit = clock.stored(life)
    override def save(out: DataOutput): Unit = {
      clock.save(out)
      sketch.save(out)
      watch.save(out)
    }
    override def restore(in: DataInput): Unit = {
      clock.restore(in)
      sketch.restore(in)
      watch.restore(in)
    }
  }
}
