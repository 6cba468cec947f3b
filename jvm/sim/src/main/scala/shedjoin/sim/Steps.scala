package shedjoin.sim

import shedjoin.core.join.Side
import shedjoin.core.policy.RowFacts

/** Goes through a trace: the rows of one time where it is stepwise, else row by row, of one time the left ones first. */
final private[sim] class Steps(trace: Trace) {

  /** The rows of the step, as places on their sides, up to `ends`. */
  private val starts, ends = new Array[Int](2)
  private var now = trace.firstTick

  /** The time of the step. */
  def tick: Long = now

  /** Goes to the next step; false when there is none. */
  def next(): Boolean = {
    starts(Side.Left) = ends(Side.Left)
    starts(Side.Right) = ends(Side.Right)
    val left = timeOf(Side.Left)
    val right = timeOf(Side.Right)
    val time = math.min(left, right)
    if (time != RowFacts.Never) {
      now = time
      if (trace.isStepwise) {
        while (timeOf(Side.Left) == time) ends(Side.Left) += 1
        while (timeOf(Side.Right) == time) ends(Side.Right) += 1
      } else ends(if (left == time) Side.Left else Side.Right) += 1
    }
    time != RowFacts.Never
  }

  /** The rows that came up to this step. */
  def rowsSoFar: Int = ends(Side.Left) + ends(Side.Right)

  def eachRow(act: (Int, Int) => Unit): Unit = {
    var side = 0
    while (side < 2) {
      var place = starts(side)
      while (place < ends(side)) {
        act(side, place)
        place += 1
      }
      side += 1
    }
  }

  private def timeOf(side: Int): Long =
    if (ends(side) < trace.side(side).size) trace.side(side).times(ends(side)) else RowFacts.Never
}
