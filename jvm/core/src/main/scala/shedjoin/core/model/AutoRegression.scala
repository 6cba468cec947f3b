package shedjoin.core.model

/** A stream whose values are X(t) = constant + phi X(t-1) + Y(t), with normal noise Y, rounded to whole numbers where they
  * are compared (AR(1); paper 3, section 6.1).
  */
final case class AutoRegression(phi: Double, constant: Double, deviation: Double) {
  import AutoRegression.{Nowhere, Wide}
  require(math.abs(phi) < 1, s"phi is $phi and must lie between -1 and 1")
  require(deviation > 0, s"the deviation is $deviation and must be greater than 0")

  /** Where it comes back to. */
  val level: Double = constant / (1 - phi)

  /** What is expected `steps` after a value. O(1). */
  def mean(value: Double, steps: Int): Double = level + math.pow(phi, steps.toDouble) * (value - level)

  /** How far it strays from that. O(1). */
  def spread(steps: Int): Double =
    deviation * math.sqrt((1 - math.pow(phi, 2.0 * steps)) / (1 - phi * phi))

  /** The probability of `value` so many steps after `latest`. O(1). */
  def chance(value: Double, latest: Double, steps: Int): Double =
    near(value - mean(latest, steps), spread(steps))

  /** H of a value: what is left of the latest value, step by step, and then what comes of the long run. O(memory). */
  def benefit(value: Double, latest: Double, horizon: Horizon): Double = {
    val steps = math.min(horizon.reach, memory.toLong).toInt
    var sum = 0.0
    var d = steps
    while (d > 0) {
      sum += chance(value, latest, d) * horizon.kept(d.toLong)
      d -= 1
    }
    sum + near(value - level, farSpread) * (horizon.worth(horizon.reach) - horizon.worth(steps.toLong))
  }

  private def near(distance: Double, width: Double): Double = {
    // One side of the middle only, lest both terms be almost 1.
    val far = math.abs(distance)
    if (far - .5 > Nowhere * width) 0
    else if (width >= Wide) {
      // The density in the middle, and what its bend adds: to 1e-4 within 3 deviations.
      val x = far / width
      Normal.density(x) / width * (1 + (x * x - 1) / (24 * width * width))
    } else Normal.below((.5 - far) / width) - Normal.below((-.5 - far) / width)
  }

  /** How far it strays from its level in the long run. */
  def farSpread: Double = deviation / math.sqrt(1 - phi * phi)

  /** After so many steps no more is left of the latest value than a hundred thousandth. */
  def memory: Int = if (phi == 0) 1 else math.max(1, math.ceil(math.log(1e-5) / math.log(math.abs(phi))).toInt)
}

object AutoRegression {

  /** So many deviations away is nothing any more. */
  private val Nowhere = 8.5

  /** Whole numbers lie so densely from this deviation on that the density tells their chances. */
  private val Wide = 4.0
}
