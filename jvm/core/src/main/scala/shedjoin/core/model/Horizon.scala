package shedjoin.core.model

/** What partners that come later are worth, for rows whose partners come at an even rate: how much a rate of 1 for the
  * `remaining` ticks of a row's life is worth.
  *
  * `weight` is 0 for no life, never falls with more life, and its logarithm is concave: then of two rows the one with the
  * higher rate and the shorter life falls behind the other once, and once only.
  */
sealed trait Horizon {
  def weight(remaining: Long): Double

  /** How many ticks from now, rounded up or down, the row of rate `high` and life `short` is worth as little as the one of
    * rate `low < high` and life `long > short`, which is worth less now. O(1).
    */
  def turn(high: Double, short: Long, low: Double, long: Long): Double
}

object Horizon {

  /** The whole life counts: LIFE, or HEEB with L = 1 where life is finite. */
  case object WholeLife extends Horizon {
    def weight(remaining: Long): Double = math.max(remaining, 0L).toDouble
    def turn(high: Double, short: Long, low: Double, long: Long): Double =
      (high * short - low * long) / (high - low)
  }

  /** A row stays from tick to tick with probability exp(-1 / alpha): HEEB with L^exp (paper 3, section 5.3). */
  final case class Decay(alpha: Double) extends Horizon {
    require(alpha > 0, s"alpha is $alpha and must be greater than 0")
    private val all = 1 / math.expm1(1 / alpha)

    def weight(remaining: Long): Double = if (remaining > 0) -math.expm1(-remaining / alpha) * all else 0
    def turn(high: Double, short: Long, low: Double, long: Long): Double =
      short + alpha * math.log((high - low) / (high - low * math.exp(-(long - short) / alpha)))
  }
}
