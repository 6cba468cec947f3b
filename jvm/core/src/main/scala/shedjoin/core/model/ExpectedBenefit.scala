package shedjoin.core.model

/** How many partners a row expects at each step to come (paper 3, sections 5.1 to 5.3), from the next one on; none after
  * those told.
  */
final case class ExpectedBenefit(atStep: Array[Double]) {
  private val cumulated = atStep.scanLeft(0.0)(_ + _)

  /** The expected cumulative benefit (ECB) up to `steps` from now. O(1). */
  def upTo(steps: Int): Double = cumulated(math.min(steps, atStep.length))

  /** Whether keeping this row is never worse, however long it is kept. O(steps). */
  def dominates(other: ExpectedBenefit): Boolean = steps(other).forall(d => upTo(d) >= other.upTo(d))

  /** Whether keeping this row is better, however long it is kept. O(steps). */
  def stronglyDominates(other: ExpectedBenefit): Boolean = steps(other).forall(d => upTo(d) > other.upTo(d))

  /** H: what is expected in all, each step weighted by how likely the row is thought to be kept until then. O(steps). */
  def weighted(kept: Int => Double): Double = atStep.indices.map(i => atStep(i) * kept(i + 1)).sum

  private def steps(other: ExpectedBenefit): Range = 1 to math.max(1, math.max(atStep.length, other.atStep.length))
}
