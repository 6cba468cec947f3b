package shedjoin.core.policy

import java.io.{DataInput, DataOutput}

import shedjoin.core.Budget
import shedjoin.core.join.Side
import shedjoin.core.model.FrequencySketch

/** Where it is known from how many partners a row expects a tick: given, or counted.
  *
  * Counted are the partners that came so far, of both sides over the same time: in a sketch until a row comes, and by its
  * own matches from then on, which all partners are.
  */
sealed private[policy] trait RateSource {
  def isCounted: Boolean
  def rate(side: Int, value: Long): Double
  def observed(side: Int, value: Long): Unit
  def save(out: DataOutput): Unit
  def restore(in: DataInput): Unit
}

private[policy] object RateSource {

  final class Given(rates: Rates, budget: Budget) extends RateSource {
    budget.reserve(rates.bytes)
    def isCounted: Boolean = false
    def rate(side: Int, value: Long): Double = rates(side, value)
    def observed(side: Int, value: Long): Unit = ()
    def save(out: DataOutput): Unit = ()
    def restore(in: DataInput): Unit = ()
  }

  final class Counted(width: Int, budget: Budget) extends RateSource {
    private val sketch = new FrequencySketch(width, budget)
    def isCounted: Boolean = true
    def rate(side: Int, value: Long): Double = sketch.count(Side.other(side), value).toDouble
    def observed(side: Int, value: Long): Unit = sketch.add(side, value)
    def save(out: DataOutput): Unit = sketch.save(out)
    def restore(in: DataInput): Unit = sketch.restore(in)
  }
}
