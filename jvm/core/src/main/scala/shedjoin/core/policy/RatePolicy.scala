package shedjoin.core.policy

import java.io.{DataInput, DataOutput}

import shedjoin.core.Budget
import shedjoin.core.collection.{RowRanking, Tournament}
import shedjoin.core.model.{Horizon, Wide}

/** Sheds the row of least rate x weight of the life it has left, where a row's rate is how many partners it expects a tick,
  * weighed.
  *
  * LIFE (paper 3, section 1) and, by the weights of L^exp, HEEB for stationary streams (paper 3, section 7.2), there with a
  * window too.
  */
final private[policy] class RatePolicy(
    rates: RateSource,
    weighing: Weighing,
    horizon: Horizon,
    facts: RowFacts,
    budget: Budget
) extends TabledPolicy(facts, RatePolicy.Stride, budget)
    with RowRanking {
  import RatePolicy._

  private val rows = new Tournament(this, budget)

  def precedes(a: Int, b: Int): Boolean = {
    val exponent = commonExponent(a, b)
    goesFirst(a, rank(a, exponent), b, rank(b, exponent))
  }

  /** The first rank can come to exceed the second only where it falls slower: with a longer life and a lower rate. Rows that
    * expire at once are equal from then on.
    */
  def holdsUntil(first: Int, second: Int): Long = {
    val exponent = commonExponent(first, second)
    val low = rate(first, exponent)
    val high = rate(second, exponent)
    val long = facts.lifeLeft(first, tick)
    val short = facts.lifeLeft(second, tick)
    if (low >= high || long < short || short <= 0) RowRanking.Forever
    else if (long == short) if (long == RowFacts.Never) RowRanking.Forever else tick + long
    else {
      val turn = math.floor(horizon.turn(high, short, low, long) * (1 - RoundingError)).toLong
      tick + math.max(1, math.min(turn, short))
    }
  }

  /** The rate of a row in units of 2^exponent. */
  private def rate(row: Int, exponent: Long): Double = {
    val rate = Wide.over(getDouble(row, Rate), exponent)
    if (weighing.isAny) rate * weighing.factor(row) else rate
  }

  /** So that the greater of both rates is about 1, whenever they are compared. */
  private def commonExponent(a: Int, b: Int): Long =
    Wide.exponentOf(math.max(getDouble(a, Rate), getDouble(b, Rate)))

  private def rank(row: Int, exponent: Long): Double =
    rate(row, exponent) * horizon.weight(facts.lifeLeft(row, tick))

  override def observed(side: Int, value: Long): Unit = rates.observed(side, value)

  def matched(row: Int): Unit = if (rates.isCounted) {
    putDouble(row, Rate, rates.matched(getDouble(row, Rate)))
    rows.changed(row)
  }

  def nextVictim(): Int = rows.first

  protected def ensureRoom(row: Int): Unit = rows.ensureRoom(row)
  protected def noteArrival(row: Int, matches: Int): Unit = {
    rates.stored(facts.lifeLeft(row, tick))
    putDouble(row, Rate, rates.rate(facts.side(row), facts.value(row)))
  }
  protected def enter(row: Int): Unit = rows.add(row)
  protected def leave(row: Int): Unit = rows.remove(row)
  override protected def timeMoved(): Unit = {
    rates.advance(tick, count)
    rows.advance(tick)
  }
  override protected def saveModel(out: DataOutput): Unit = rates.save(out)
  override protected def restoreModel(in: DataInput): Unit = rates.restore(in)

  override def checkInvariants(): Unit = {
    super.checkInvariants()
    rows.checkInvariants()
  }
}

private object RatePolicy {
  private val Stride = 2
  private val Rate = 0

  /** More than a turn's rounding errors come to. */
  private val RoundingError = 1e-9
}
