package shedjoin.core.model

/** How likely a row is thought still to be stored so many steps from now (L of paper 3, section 5.3, table 1), and what
  * that makes of partners that come at an even rate.
  *
  * `worth` is 0 for no life and never falls with more life.
  */
sealed trait Horizon {

  /** L: the probability of being stored `step` steps from now; never rises. O(1). */
  def kept(step: Long): Double

  /** After so many steps nothing counts any more, or `Horizon.Endless`. */
  def reach: Long

  /** How much a rate of 1 for the `remaining` ticks of a row's life is worth. O(1). */
  def worth(remaining: Long): Double

  /** The life that is worth this much, rounded up or not; infinite where none is. O(1), or O(log life). */
  def lifeOf(worth: Double): Double
}

object Horizon {

  /** The reach of a horizon under which a row's life has to end by itself. */
  val Endless: Long = Long.MaxValue

  /** The whole life counts: LIFE, or HEEB with L^inf where life is finite. */
  case object WholeLife extends Horizon {
    def kept(step: Long): Double = 1
    def reach: Long = Endless
    def worth(remaining: Long): Double = math.max(remaining, 0L).toDouble
    def lifeOf(worth: Double): Double = worth
  }

  /** A row goes after so many ticks, no sooner and no later: HEEB with L^fixed. */
  final case class Fixed(ticks: Long) extends Horizon {
    require(ticks > 0, s"the horizon is $ticks ticks and must be at least 1")

    def kept(step: Long): Double = if (step <= ticks) 1 else 0
    def reach: Long = ticks
    def worth(remaining: Long): Double = math.min(math.max(remaining, 0L), ticks).toDouble
    def lifeOf(worth: Double): Double = if (worth > ticks) Double.PositiveInfinity else worth
  }

  /** What comes sooner counts more, by 1 / steps: HEEB with L^inv where life is finite. */
  case object Inverse extends Horizon {
    private val EulersConstant = 0.57721566490153286
    private val Longest = 1L << 62

    /** Up to here sums are added up; beyond, the expansion is exact to a double's last place. */
    private val sums = (1 to 64).scanLeft(0.0)((sum, d) => sum + 1.0 / d).toArray

    def kept(step: Long): Double = 1.0 / step
    def reach: Long = Endless
    def worth(remaining: Long): Double =
      if (remaining <= 0) 0
      else if (remaining < sums.length) sums(remaining.toInt)
      else {
        val inverse = 1.0 / remaining
        val square = inverse * inverse
        math.log(remaining.toDouble) + EulersConstant + inverse / 2 - square / 12 + square * square / 120
      }

    def lifeOf(worth: Double): Double = {
      var below = 0L
      var reached = 1L
      while (reached < Longest && this.worth(reached) < worth) {
        below = reached
        reached *= 2
      }
      while (reached - below > 1) {
        val middle = below + (reached - below) / 2
        if (this.worth(middle) < worth) below = middle else reached = middle
      }
      if (this.worth(reached) < worth) Double.PositiveInfinity else reached.toDouble
    }
  }

  /** A row stays from tick to tick with probability exp(-1 / alpha): HEEB with L^exp. */
  final case class Decay(alpha: Double) extends Horizon {
    require(alpha > 0, s"alpha is $alpha and must be greater than 0")
    private val all = 1 / math.expm1(1 / alpha)
    private val falls = new DecayTable(alpha)

    def kept(step: Long): Double = math.exp(-step / alpha)

    /** Later steps weigh less than 1e-12 of the first. */
    def reach: Long = math.ceil(28 * alpha).toLong
    def worth(remaining: Long): Double = if (remaining > 0) -falls(remaining) * all else 0
    def lifeOf(worth: Double): Double =
      if (worth >= all) Double.PositiveInfinity else -alpha * math.log1p(-worth / all)
  }

  /** As another one, but for so many steps only: no row is stored longer than its window is. */
  final case class Within(of: Horizon, steps: Long) extends Horizon {
    require(steps > 0, s"the window is $steps steps and must be at least 1")

    def kept(step: Long): Double = if (step <= steps) of.kept(step) else 0
    def reach: Long = math.min(of.reach, steps)
    def worth(remaining: Long): Double = of.worth(math.min(remaining, steps))
    def lifeOf(worth: Double): Double = {
      val life = of.lifeOf(worth)
      if (life > steps) Double.PositiveInfinity else life
    }
  }
}
