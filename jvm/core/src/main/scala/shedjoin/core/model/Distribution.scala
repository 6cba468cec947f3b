package shedjoin.core.model

/** A distribution over consecutive integers, the first of which is `first`. */
final case class Distribution(first: Int, probabilities: Array[Double]) {
  require(probabilities.nonEmpty && probabilities.forall(p => p >= 0 && p <= 1), "probabilities lie between 0 and 1")

  def last: Int = first + probabilities.length - 1

  def apply(value: Int): Double =
    if (value < first || value > last) 0 else probabilities(value - first)

  /** Between two integers on the line between their probabilities. */
  def between(value: Double): Double = {
    val low = math.floor(value)
    val part = value - low
    if (part == 0) apply(low.toInt) else (1 - part) * apply(low.toInt) + part * apply(low.toInt + 1)
  }

  def mean: Double = probabilities.indices.map(i => (first + i) * probabilities(i)).sum

  def variance: Double = probabilities.indices.map(i => math.pow(first + i - mean, 2) * probabilities(i)).sum
}

object Distribution {

  /** Probabilities of the integers around 0, the same number of them on either side. */
  def around0(probabilities: Array[Double]): Distribution = {
    require(probabilities.length % 2 == 1, s"${probabilities.length} probabilities have no middle one")
    Distribution(-(probabilities.length / 2), probabilities)
  }
}
