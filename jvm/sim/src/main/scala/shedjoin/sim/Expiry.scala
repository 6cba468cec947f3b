package shedjoin.sim

/** The rows of a trace in the order in which they expire.
  *
  * A row is seen to expire no earlier than it came. Representation: the places of each side by their last ticks, or none
  * where they lie so already, and how many of them have expired.
  */
final private[sim] class Expiry(trace: Trace, within: Within) {
  import Expiry._

  private val orders: Array[Array[Int]] = Array.tabulate(2)(order)
  private val expired = new Array[Int](2)

  private def lastTick(side: Int, place: Int): Long =
    math.max(within.lastTick(trace, side, place), trace.side(side).times(place))

  private def order(side: Int): Array[Int] = {
    val places = 0 until trace.side(side).size
    if (places.drop(1).forall(place => lastTick(side, place - 1) <= lastTick(side, place))) InOrder
    else places.toArray.sortBy(lastTick(side, _))
  }

  /** The place of the next row of `side` that expires before `bound`, stored or not; `NoPlace` when there is none. O(1). */
  def next(side: Int, bound: Long): Int = {
    val count = expired(side)
    val place =
      if (count == trace.side(side).size) NoPlace else if (orders(side) eq InOrder) count else orders(side)(count)
    if (place != NoPlace && lastTick(side, place) < bound) {
      expired(side) += 1
      place
    } else NoPlace
  }
}

private[sim] object Expiry {
  val NoPlace: Int = -1
  private val InOrder = Array.empty[Int]
}
