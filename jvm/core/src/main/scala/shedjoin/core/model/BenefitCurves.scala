package shedjoin.core.model

import shedjoin.core.Budget

/** HEEB's H with L^exp for streams whose future looks the same from a moving origin (paper 3, section 6.1: corollary 5,
  * theorem 3): a curve over the distance of a row's value from that origin, made once.
  */
object BenefitCurves {

  /** Later steps weigh less than 1e-12 of the first. */
  private def steps(alpha: Double): Int = math.ceil(28 * alpha).toInt

  /** The partners' values are `slope` times the step plus noise; the origin is the trend's value now. */
  def trend(slope: Double, noise: Distribution, alpha: Double, budget: Budget): GridCurve = {
    val far = slope * steps(alpha)
    val low = math.floor(noise.first + math.min(0, far)).toLong
    val high = math.ceil(noise.last + math.max(0, far)).toLong
    sampled(low, high, budget) { offset =>
      // Only the steps at which the noise reaches the offset.
      val reach = if (slope == 0) (1, steps(alpha)) else reached(offset, slope, noise, steps(alpha))
      (reach._1 to reach._2).iterator.map(d => noise.between(offset - slope * d) * math.exp(-d / alpha)).sum
    }
  }

  private def reached(offset: Double, slope: Double, noise: Distribution, most: Int): (Int, Int) = {
    val ends = Seq((offset - noise.last - 1) / slope, (offset - noise.first + 1) / slope)
    (math.max(1, math.floor(ends.min).toInt), math.min(most, math.ceil(ends.max).toInt))
  }

  /** The partners' values are a random walk of these steps; the origin is its latest value. */
  def walk(step: Distribution, alpha: Double, budget: Budget): GridCurve = {
    val count = steps(alpha)
    val drift = step.mean * count
    val spread = 9 * math.sqrt(step.variance * count)
    val low = math.max(math.min(0, drift) - spread, step.first.toDouble * count).floor.toInt.min(0)
    val high = math.min(math.max(0, drift) + spread, step.last.toDouble * count).ceil.toInt.max(0)
    val sums = new Array[Double](high - low + 1)
    var at = new Array[Double](sums.length)
    at(-low) = 1
    (1 to count).foreach { d =>
      at = moved(at, step)
      sums.indices.foreach(i => sums(i) += at(i) * math.exp(-d / alpha))
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

  private def sampled(low: Long, high: Long, budget: Budget)(value: Double => Double): GridCurve = {
    val width = 1 + (high - low) / GridCurve.MostCells
    val cells = (1 + (high - low) / width).toInt
    new GridCurve(width, low, Array.tabulate(cells)(i => value(low + i * width + (width - 1) / 2.0)), budget)
  }
}
