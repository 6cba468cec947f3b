package shedjoin.bench

/** The moment after which nothing further is begun. */
final class Deadline(minutes: Option[Double]) {
  private val endNanos = minutes.map(m => System.nanoTime + (m * 60e9).toLong)

  def isOver: Boolean = endNanos.exists(_ <= System.nanoTime)
}
