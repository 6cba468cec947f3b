package shedjoin.bench.stream

/** Measurements of one thing: their median and extremes. */
final case class Spread(sorted: Vector[Double]) {
  def median: Double = at(0.5)
  def least: Double = sorted.head
  def most: Double = sorted.last

  /** The value that this part of the measurements does not exceed, interpolated. */
  def at(part: Double): Double = {
    val place = part * (sorted.size - 1)
    val below = sorted(place.toInt)
    val above = sorted(math.min(place.toInt + 1, sorted.size - 1))
    below + (above - below) * (place - place.toInt)
  }
}

object Spread {
  def of(values: Iterable[Double]): Spread = {
    require(values.nonEmpty, "nothing was measured")
    Spread(values.toVector.sorted)
  }
}
