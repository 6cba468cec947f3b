package shedjoin.core.model

import shedjoin.core.Budget

/** What a row of a relation is worth to a cache: its first use, for then it is supplied again (paper 3, corollary 1).
  *
  * Where the references are a Markov chain, H of a first use with L^exp needs no sum over ways that avoid the value: by the
  * renewal equation it is H of all uses / (1 + H of all returns). For a stationary stream and for a walk returns are the
  * same for all values, or in the same order, so rows have the order of the join's H; for AR(1) see [[RegressionCurves]].
  */
object CacheWorth {

  /** H with L^exp where references are `slope` times the step plus noise, by the distance of a value from the trend now. */
  def trend(slope: Double, noise: Distribution, alpha: Double, budget: Budget): GridCurve = {
    val horizon = Horizon.Decay(alpha)
    val steps = horizon.reach.toInt
    val far = slope * steps
    val low = math.floor(noise.first + math.min(0, far)).toLong
    val high = math.ceil(noise.last + math.max(0, far)).toLong
    val width = 1 + (high - low) / GridCurve.MostCells
    val worths = Array.tabulate((1 + (high - low) / width).toInt) { cell =>
      alongTrend(low + cell * width + (width - 1) / 2.0, slope, noise, horizon, steps)
    }
    new GridCurve(width, low, worths, budget)
  }

  private def alongTrend(offset: Double, slope: Double, noise: Distribution, horizon: Horizon, steps: Int): Double = {
    // Only the steps at which the noise reaches the offset.
    val ends = Seq((offset - noise.last - 1) / slope, (offset - noise.first + 1) / slope)
    val from = if (slope == 0) 1 else math.max(1, math.floor(ends.min).toInt)
    val until = if (slope == 0) steps else math.min(steps, math.ceil(ends.max).toInt)
    ExpectedBenefit
      .caching(math.max(0, until - from + 1))(d => noise.between(offset - slope * (from + d - 1)))
      .weighted(d => horizon.kept(from + d - 1L))
  }
}
