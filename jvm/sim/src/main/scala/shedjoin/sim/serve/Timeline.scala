package shedjoin.sim.serve

import shedjoin.sim.Trace

/** How counts rose over a run, at the ends of equal parts of its time.
  *
  * @param columns how many counts are noted at a time
  */
final private[serve] class Timeline(trace: Trace, columns: Int) {
  private val ticks = trace.lastTick - trace.firstTick + 1
  private val width = math.max(1, (ticks + Timeline.MostParts - 1) / Timeline.MostParts)
  val parts: Int = if (trace.rows == 0) 0 else ((ticks + width - 1) / width).toInt
  private val counts = Array.fill(columns)(new Array[Long](parts))
  private var last = 0

  /** The tick at which a part starts. */
  def start(part: Int): Long = trace.firstTick + part * width

  /** Goes to the part in which `tick` lies. O(1), amortised. */
  def goTo(tick: Long): Unit = {
    val part = ((tick - trace.firstTick) / width).toInt
    while (last < part) {
      last += 1
      counts.foreach(count => count(last) = count(last - 1))
    }
  }

  /** Sets a count as it stands after the last step that was gone to. */
  def note(column: Int, count: Long): Unit = counts(column)(last) = count

  /** A count at the end of each part. */
  def column(column: Int): Array[Long] = counts(column)
}

private[serve] object Timeline {
  private val MostParts = 200
}
