package shedjoin.sim

import shedjoin.core.join.Side

/** Counts what a join with all the memory it takes finds, without finding it one by one. O(rows log rows).
  *
  * Representation: how many rows of each side and key can still be met.
  */
final class ExactJoin(trace: Trace, settings: SimSettings) {
  private val steps = new Steps(trace)
  private val living = Array.fill(2, trace.keyCount)(0)
  private val expiry = new Expiry(trace, settings.within)
  private var stored, peak = 0
  private var found = 0L

  def tick: Long = steps.tick

  /** How many results were found after the warm-up. */
  def outputs: Long = found

  /** How many rows were stored at most. */
  def peakRows: Int = peak

  def step(): Boolean = {
    val more = steps.next()
    if (more) {
      expireBefore(tick)
      if (settings.countsAt(tick - trace.firstTick)) steps.eachRow(meet)
      steps.eachRow(keep)
      if (trace.isStepwise) expireBefore(tick + 1)
      peak = math.max(peak, stored)
    }
    more
  }

  private def meet(side: Int, place: Int): Unit =
    if (settings.count.side(side)) found += living(Side.other(side))(trace.keyNumbers(side)(place))

  private def keep(side: Int, place: Int): Unit = if (isKept(side, place)) add(side, place, 1)

  private def isKept(side: Int, place: Int): Boolean =
    trace.mayMeetMore(side, settings.within.lastTick(trace, side, place), trace.side(side).times(place))

  private def expireBefore(bound: Long): Unit = {
    var side = 0
    while (side < 2) {
      var place = expiry.next(side, bound)
      while (place != Expiry.NoPlace) {
        if (isKept(side, place)) add(side, place, -1)
        place = expiry.next(side, bound)
      }
      side += 1
    }
  }

  private def add(side: Int, place: Int, rows: Int): Unit = {
    living(side)(trace.keyNumbers(side)(place)) += rows
    stored += rows
  }
}
