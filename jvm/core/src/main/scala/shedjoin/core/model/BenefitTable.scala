package shedjoin.core.model

import shedjoin.core.Budget

/** HEEB's H where it is told how likely each value is at each step: a curve over the values for each step.
  *
  * @param chances by step, then by value from `firstValue` on
  * @param repeats whether the steps begin anew after the last; else nothing comes then
  */
final case class BenefitTable(firstValue: Long, chances: Array[Array[Double]], repeats: Boolean) {
  private val steps = chances.length
  private val values = chances(0).length

  /** The curve that holds at a step: rows wait for the steps after it. */
  def at(step: Long): Int =
    if (repeats) java.lang.Math.floorMod(step, steps.toLong).toInt
    else math.min(math.max(step, 0L), steps - 1L).toInt

  def curves(horizon: Horizon, budget: Budget): Array[GridCurve] = {
    require(!repeats || horizon.reach != Horizon.Endless, "a table that repeats comes back to every value for ever")
    val weights = (1 to steps).map(weight(_, horizon)).toArray
    var later = Array.empty[Double]
    val worths = (steps - 1 to 0 by -1).map { step =>
      later = horizon match {
        case Horizon.Decay(alpha) if later.nonEmpty => before(later, step + 1, math.exp(-1 / alpha))
        case _ => direct(step, weights)
      }
      later
    }
    worths.reverse.map(new GridCurve(1, firstValue, _, budget)).toArray
  }

  /** What the `d`-th step from now counts, and all that are the same. */
  private def weight(d: Int, horizon: Horizon): Double =
    if (repeats) (d.toLong to horizon.reach by steps.toLong).iterator.map(horizon.kept).sum
    else if (d <= horizon.reach) horizon.kept(d.toLong)
    else 0

  /** Corollary 3, back in time, where it takes errors away. */
  private def before(later: Array[Double], step: Int, kept: Double): Array[Double] =
    Array.tabulate(values)(v => kept * (later(v) + chances(step)(v)))

  private def direct(step: Int, weights: Array[Double]): Array[Double] = {
    val sums = new Array[Double](values)
    var d = 1
    while (d <= steps && (repeats || step + d < steps)) {
      val row = chances((step + d) % steps)
      val weight = weights(d - 1)
      var v = 0
      while (v < values) {
        sums(v) += weight * row(v)
        v += 1
      }
      d += 1
    }
    sums
  }
}
