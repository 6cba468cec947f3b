package shedjoin.core.model

import shedjoin.core.Budget

/** HEEB's H for streams whose future looks the same from a moving origin (paper 3, section 6.1: corollary 5, theorem 3,
  * there h1): a curve over the distance of a row's value from that origin, made once.
  */
object BenefitCurves {

  /** Where a horizon does not end, rows are told apart that the trend comes to within so many steps: as many as there are
    * cells for, one a value.
    */
  private def farSteps(slope: Double, noise: Distribution): Long =
    math.max(64L, ((GridCurve.MostCells - 4 - noise.probabilities.length) / math.abs(slope)).toLong)

  /** The partners' values are `slope` times the step plus noise; the origin is the trend's value now. With a horizon that
    * does not end the slope must not be 0; rows farther ahead than `farSteps` are worth as much as those there.
    */
  def trend(slope: Double, noise: Distribution, horizon: Horizon, budget: Budget): GridCurve = {
    val isEndless = horizon.reach == Horizon.Endless
    require(!isEndless || slope != 0, "on a level trend a row's life does not end")
    val steps = if (isEndless) farSteps(slope, noise).toInt else math.min(horizon.reach, Int.MaxValue.toLong).toInt
    val far = slope * steps
    val low = math.floor(noise.first + math.min(0, far)).toLong
    val high = math.ceil(noise.last + math.max(0, far)).toLong
    def worth(offset: Double): Double = {
      // Only the steps at which the noise reaches the offset.
      val last = if (isEndless) Int.MaxValue else steps
      val reach = if (slope == 0) (1, last) else reached(offset, slope, noise, last)
      (reach._1 to reach._2).iterator.map(d => noise.between(offset - slope * d) * horizon.kept(d.toLong)).sum
    }
    val ahead = if (isEndless) worth(if (slope > 0) high.toDouble else low.toDouble) else 0
    sampled(low, high, budget, if (slope > 0) ahead else 0, if (slope < 0) ahead else 0)(worth)
  }

  private def reached(offset: Double, slope: Double, noise: Distribution, most: Int): (Int, Int) = {
    val ends = Seq((offset - noise.last - 1) / slope, (offset - noise.first + 1) / slope)
    (math.max(1, math.floor(ends.min).toInt), math.min(most, math.ceil(ends.max).toInt))
  }

  /** The partners' values are a random walk of these steps; the origin is its latest value. The horizon must end. */
  def walk(step: Distribution, horizon: Horizon, budget: Budget): GridCurve = {
    require(horizon.reach != Horizon.Endless, "a walk comes back to every value for ever")
    val count = horizon.reach.toInt
    val drift = step.mean * count
    val spread = 9 * math.sqrt(step.variance * count)
    val low = math.max(math.min(0, drift) - spread, step.first.toDouble * count).floor.toInt.min(0)
    val high = math.min(math.max(0, drift) + spread, step.last.toDouble * count).ceil.toInt.max(0)
    val sums = new Array[Double](high - low + 1)
    var at = new Array[Double](sums.length)
    at(-low) = 1
    (1 to count).foreach { d =>
      at = moved(at, step)
      sums.indices.foreach(i => sums(i) += at(i) * horizon.kept(d.toLong))
    }
    sampled(low, high, budget)(offset => sums(math.min((offset - low).toInt, sums.length - 1)))
  }

  private def moved(at: Array[Double], step: Distribution): Array[Double] = {
    val next = new Array[Double](at.length)
    at.indices.filter(at(_) > 0).foreach { i =>
      (math.max(0, i + step.first) to math.min(at.length - 1, i + step.last))
        .foreach(j => next(j) += at(i) * step(j - i))
    }
    next
  }

  private def sampled(low: Long, high: Long, budget: Budget, above: Double = 0, below: Double = 0)(
      value: Double => Double
  ): GridCurve = {
    val width = 1 + (high - low) / GridCurve.MostCells
    val cells = (1 + (high - low) / width).toInt
    new GridCurve(
      width,
      low,
      Array.tabulate(cells)(i => value(low + i * width + (width - 1) / 2.0)),
      budget,
      above,
      below
    )
  }
}
