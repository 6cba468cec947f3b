package shedjoin.sim

import shedjoin.core.join.Side

/** Counts what a join with all the memory it takes finds, without finding it one by one. O(rows log rows).
  *
  * Representation: how many rows of each side and key can still be met; of each side the order in which rows expire.
  */
final class ExactJoin(trace: Trace, settings: SimSettings) {
  private val steps = new Steps(trace)
  private val living = Array.fill(2, trace.keyCount)(0)
  private val lastTicks = Array(Side.Left, Side.Right).map { side =>
    Array.tabulate(trace.side(side).size)(settings.within.lastTick(trace, side, _))
  }
  private val expiring = lastTicks.map(ExactJoin.sorted)
  private val expired = new Array[Int](2)
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
    trace.mayMeetMore(side, lastTicks(side)(place), trace.side(side).times(place))

  private def expireBefore(bound: Long): Unit = {
    var side = 0
    while (side < 2) {
      val last = lastTicks(side)
      while (expired(side) < last.length && last(expiring(side)(expired(side))) < bound) {
        val place = expiring(side)(expired(side))
        if (isKept(side, place)) add(side, place, -1)
        expired(side) += 1
      }
      side += 1
    }
  }

  private def add(side: Int, place: Int, rows: Int): Unit = {
    living(side)(trace.keyNumbers(side)(place)) += rows
    stored += rows
  }
}

private object ExactJoin {

  /** The places of ticks in their order. */
  private def sorted(ticks: Array[Long]): Array[Int] = {
    val places = ticks.indices.toArray
    if ((1 until ticks.length).forall(i => ticks(i - 1) <= ticks(i))) places else places.sortBy(ticks(_))
  }
}
