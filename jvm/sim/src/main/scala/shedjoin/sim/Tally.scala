package shedjoin.sim

/** Adds up what a run comes to. */
final private[sim] class Tally {
  private var found, dropped, steps, stays = 0L
  private var importance, share, stayed, stayedSquared = 0.0

  def outputs: Long = found
  def shed: Long = dropped

  def result(importance: Double): Unit = {
    found += 1
    this.importance += importance
  }

  def shedOne(): Unit = dropped += 1

  def stay(ticks: Long): Unit = {
    stays += 1
    stayed += ticks
    stayedSquared += ticks.toDouble * ticks
  }

  def stored(left: Int, all: Int): Unit = if (all > 0) {
    steps += 1
    share += left.toDouble / all
  }

  def total: SimResult = SimResult(
    outputs,
    importance,
    shed,
    if (steps == 0) 0 else share / steps,
    if (stayedSquared == 0) 1 else stayed * stayed / (stays * stayedSquared)
  )
}
