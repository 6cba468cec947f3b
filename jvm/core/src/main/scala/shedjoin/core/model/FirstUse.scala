package shedjoin.core.model

import shedjoin.core.Budget

/** What a row of a relation is expected to bring to a cache: one hit, at its first use, for then it is supplied again
  * (paper 3, corollary 1).
  *
  * Where the references are a Markov chain, H with L^exp needs no curve of its own: the first visit is what remains of all
  * visits, H / (1 + H of a return), by the renewal equation. For a stationary stream and for a walk that is the order of
  * the join's H itself.
  */
object FirstUse {

  /** Of a row that is referenced at the coming steps as likely as told, each step by itself. O(steps). */
  def benefit(referenced: Array[Double]): ExpectedBenefit = {
    var unused = 1.0
    ExpectedBenefit(referenced.map { p =>
      val first = unused * p
      unused -= first
      first
    })
  }

  /** H with L^exp where references are `slope` times the step plus noise, by the distance of a value from the trend now. */
  def trend(slope: Double, noise: Distribution, alpha: Double, budget: Budget): GridCurve = {
    val steps = math.ceil(28 * alpha).toInt
    val far = slope * steps
    val low = math.floor(noise.first + math.min(0, far)).toLong
    val high = math.ceil(noise.last + math.max(0, far)).toLong
    val width = 1 + (high - low) / GridCurve.MostCells
    val worths = Array.tabulate((1 + (high - low) / width).toInt) { cell =>
      alongTrend(low + cell * width + (width - 1) / 2.0, slope, noise, alpha, steps)
    }
    new GridCurve(width, low, worths, budget)
  }

  private def alongTrend(offset: Double, slope: Double, noise: Distribution, alpha: Double, steps: Int): Double = {
    val ends = Seq((offset - noise.last - 1) / slope, (offset - noise.first + 1) / slope)
    val from = if (slope == 0) 1 else math.max(1, math.floor(ends.min).toInt)
    val until = if (slope == 0) steps else math.min(steps, math.ceil(ends.max).toInt)
    val first = benefit(Array.tabulate(math.max(0, until - from + 1))(i => noise.between(offset - slope * (from + i))))
    first.weighted(i => math.exp(-(from + i - 1) / alpha))
  }
}
