package shedjoin.sim

/** The mean of independent runs, and how far it may be off. */
final case class Means(values: Seq[Double]) {
  val mean: Double = values.sum / values.size
  val error: Double =
    math.sqrt(values.map(v => (v - mean) * (v - mean)).sum / (values.size - 1) / values.size)

  /** Whether a figure that is itself a mean of as many runs lies within 3 combined standard errors, or within the rounding of
    * the figure.
    */
  def agrees(figure: Double, rounding: Double): Boolean =
    math.abs(mean - figure) <= 3 * math.sqrt(2) * error + rounding

  override def toString: String = f"$mean%.4f +- $error%.4f"
}

object Means {
  def over(seeds: Range)(run: Int => Double): Means = Means(seeds.map(run))
}
