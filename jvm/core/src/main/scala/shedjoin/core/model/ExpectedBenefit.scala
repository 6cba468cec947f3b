package shedjoin.core.model

/** How many partners a row expects at each step to come (paper 3, sections 5.1 to 5.3), from the next one on; none after
  * those told.
  */
final case class ExpectedBenefit(atStep: Array[Double]) {

  /** H: what is expected in all, each step weighted by how likely the row is thought to be kept until then. O(steps). */
  def weighted(kept: Int => Double): Double = atStep.indices.map(i => atStep(i) * kept(i + 1)).sum
}

object ExpectedBenefit {

  /** Of a cached row of a relation: it brings something the first time it is referenced, and then is supplied anew
    * (corollary 1). By the chance of a reference at each step, where the references are independent.
    */
  def caching(steps: Int)(chance: Int => Double): ExpectedBenefit = {
    val unused = (1 to steps).scanLeft(1.0)((rest, d) => rest * (1 - chance(d)))
    ExpectedBenefit(Array.tabulate(steps)(i => unused(i) * chance(i + 1)))
  }
}
