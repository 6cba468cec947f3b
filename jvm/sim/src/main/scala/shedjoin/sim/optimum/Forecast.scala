package shedjoin.sim.optimum

import shedjoin.core.model.Distribution

/** What is known of two streams, each independent of the other, that bring a row a step. */
trait Forecast {

  /** A row of `side` came. */
  def observed(side: Int, value: Long): Unit = ()

  /** The value of the row of `side` that comes `ahead` steps after `tick`, which is now. */
  def coming(side: Int, tick: Long, ahead: Int): Likely
}

/** How likely values are: `around` + what the distribution says; what it lacks to 1 is the chance of one that meets none. */
final case class Likely(distribution: Distribution, around: Long) {

  def apply(value: Long): Double = {
    val off = value - around
    if (off < distribution.first || off > distribution.last) 0 else distribution(off.toInt)
  }

  /** How likely both values are the same. O(values). */
  def meets(other: Likely): Double = {
    var sum = 0.0
    var i = 0
    while (i < distribution.probabilities.length) {
      val p = distribution.probabilities(i)
      if (p > 0) sum += p * other(around + distribution.first + i)
      i += 1
    }
    sum
  }
}

object Forecast {

  /** Values at even rates, from `firstValue` on. */
  final class Stationary(firstValue: Long, rates: Array[Array[Double]]) extends Forecast {
    private val likely = rates.map(rate => Likely(Distribution(0, if (rate.isEmpty) Array(0.0) else rate), firstValue))
    def coming(side: Int, tick: Long, ahead: Int): Likely = likely(side)
  }

  /** A linear trend, rounded to whole numbers, and noise. */
  final class Trend(slopes: Array[Double], starts: Array[Double], noises: Array[Distribution], ticksAStep: Long)
      extends Forecast {
    def coming(side: Int, tick: Long, ahead: Int): Likely =
      Likely(noises(side), math.round(slopes(side) * (tick.toDouble / ticksAStep + ahead) + starts(side)))
  }

  /** A random walk from the latest value on; before the first one, nothing is known. */
  final class Walk(steps: Array[Distribution], mostAhead: Int) extends Forecast {
    private val latest = Array.fill(2)(Option.empty[Long])
    private val sums = steps.map(step => Iterator.iterate(step)(sum(_, step)).take(mostAhead).toArray)

    override def observed(side: Int, value: Long): Unit = latest(side) = Some(value)
    def coming(side: Int, tick: Long, ahead: Int): Likely =
      latest(side).fold(Likely(Distribution(0, Array(0.0)), 0))(Likely(sums(side)(ahead - 1), _))
  }

  private def sum(a: Distribution, b: Distribution): Distribution = {
    val probabilities = new Array[Double](a.probabilities.length + b.probabilities.length - 1)
    for (i <- a.probabilities.indices; j <- b.probabilities.indices)
      probabilities(i + j) += a.probabilities(i) * b.probabilities(j)
    Distribution(a.first + b.first, probabilities.map(math.min(_, 1)))
  }

  /** The streams that the settings of the policy `heeb` tell of, which it has checked; throws for other models. */
  def ofHeeb(settings: Map[String, String], mostAhead: Int): Forecast = {
    def both(name: String, default: String): Array[String] =
      Array("left", "right").map(side => settings.getOrElse(s"${side}_$name", default))
    def distributions(name: String): Array[Distribution] =
      both(name, "1").map(text => Distribution.around0(numbers(text)))
    settings.getOrElse("model", "stationary") match {
      case "trend" =>
        val slopes = both("slope", "0").map(_.toDouble)
        new Trend(slopes, both("start", "0").map(_.toDouble), distributions("noise"), ticksAStep(settings))
      case "walk" =>
        val drifting = distributions("step").zip(both("drift", "0")).map { case (step, drift) =>
          step.copy(first = step.first + drift.toInt)
        }
        new Walk(drifting, mostAhead)
      case "stationary" if settings.contains("left_rates") || settings.contains("right_rates") =>
        // What rows of one side meet comes on the other one.
        new Stationary(settings.getOrElse("first_value", "0").toLong, both("rates", "").map(numbers).reverse)
      case model =>
        throw new IllegalArgumentException(
          s"[SHEDJOIN_POLICY_SETTING] FLOWEXPECT needs a model that says how likely values are; given is '$model'. " +
            "Give heeb's settings for a trend or a walk, or left_rates and right_rates."
        )
    }
  }

  private def ticksAStep(settings: Map[String, String]): Long = settings.getOrElse("ticks_a_step", "1").toLong
  private def numbers(text: String): Array[Double] = text.split("\\s+").filter(_.nonEmpty).map(_.toDouble)
}
