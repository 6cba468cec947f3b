package shedjoin.sim.generate

import java.util.SplittableRandom

import shedjoin.core.model.Distribution

/** Distributions over small whole numbers. */
object Noises {

  /** A normal one, cut at `bound` on either side. */
  def normal(deviation: Double, bound: Int): Distribution =
    weighted(bound)(x => math.exp(-x.toDouble * x / (2 * deviation * deviation)))

  def uniform(bound: Int): Distribution = weighted(bound)(_ => 1)

  private def weighted(bound: Int)(weight: Int => Double): Distribution = {
    val weights = (-bound to bound).map(weight)
    Distribution.around0(weights.map(_ / weights.sum).toArray)
  }

  /** Draws numbers as likely as `weights` says, from 0 on. */
  final class Draw(weights: Array[Double]) {
    private val upTo = weights.scanLeft(0.0)(_ + _).tail

    def next(random: SplittableRandom): Int = {
      val found = java.util.Arrays.binarySearch(upTo, random.nextDouble() * upTo.last)
      math.min(if (found >= 0) found + 1 else -found - 1, weights.length - 1)
    }
  }
}
