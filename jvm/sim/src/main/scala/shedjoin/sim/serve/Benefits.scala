package shedjoin.sim.serve

import shedjoin.core.Budget
import shedjoin.core.model.{BenefitCurves, Horizon}
import shedjoin.sim.generate.Noises

/** HEEB's precomputed curves, for Python. */
object Benefits {

  /** What a row is worth whose value lies `from` to `to` above the latest one of a random walk with steps of deviation 1
    * and this drift, for joining (paper 3, theorem 3).
    */
  def walk(drift: Int, alpha: Double, from: Int, to: Int): Array[Double] = {
    val still = Noises.normal(1, 6)
    val curve = BenefitCurves.walk(still.copy(first = still.first + drift), Horizon.Decay(alpha), Budget.unlimited)
    (from to to).map(offset => curve.at(offset.toLong)).toArray
  }
}
