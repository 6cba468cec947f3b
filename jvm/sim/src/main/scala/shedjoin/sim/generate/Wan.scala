package shedjoin.sim.generate

import java.util.SplittableRandom

import shedjoin.sim.{Trace, TraceSide, Within}

/** The experiment of paper 1, section 6.1, made up: two sources of 50 rows a second, the second one far away, and a window of
  * two minutes for rows of the first. A tick is a millisecond at the server.
  *
  * Rows of both sources carry its clock. A right row meets the left ones whose clock is 59.9 to 60.1 seconds behind its own:
  * eleven of them, for which eleven right rows stand here, since joins are by equality and only left rows are stored.
  *
  * The delay between a right row's clock and its arrival (skew of the clocks, and network) is lognormal. Its mode of 3
  * seconds and its width are chosen so that most partners come at an age of 63 seconds, and k_opt is 68.8, as in the paper;
  * left rows arrive at once.
  */
object Wan {
  val window: Within = Within(0, 120000)
  val gap = 20
  private val apart = 60000 / gap
  private val tolerance = 100 / gap
  private val mode = 3000.0
  private val deviation = 0.445
  private val parts = 1200

  /** @param curve how many partners a left row meets in each tenth of a second of its window */
  final case class Made(trace: Trace, curve: Array[Double])

  def apply(seed: Long, seconds: Int): Made = {
    val random = new SplittableRandom(seed)
    val rows = seconds * 1000 / gap
    val left = Array.tabulate(rows)(_.toLong * gap)
    val arrivals = left.map(_ + delay(random))
    val partners = Array.tabulate(rows)(j => math.max(0, j - apart - tolerance) to (j - apart + tolerance))
    val right = for (j <- left.indices.toArray; _ <- partners(j)) yield arrivals(j)
    val keys = for (j <- left.indices.toArray; i <- partners(j)) yield i.toLong
    val trace = Trace(TraceSide(left, left.indices.map(_.toLong).toArray), TraceSide(right, keys), isStepwise = false)
    Made(trace, curve(left, right, keys))
  }

  private def delay(random: SplittableRandom): Long =
    math.round(math.exp(math.log(mode) + deviation * deviation + deviation * random.nextGaussian()))

  /** Of the left rows whose partners all come before the end. */
  private def curve(left: Array[Long], right: Array[Long], keys: Array[Long]): Array[Double] = {
    val counts = new Array[Double](parts)
    val last = left.last - window.after
    right.indices.foreach { at =>
      val sent = left(keys(at).toInt)
      val part = ((right(at) - sent) * parts / window.after).toInt
      if (sent <= last && part < parts) counts(part) += 1
    }
    counts.map(_ / math.max(1, left.count(_ <= last)))
  }
}
