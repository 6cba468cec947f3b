package shedjoin.core.join

/** What a join means to one micro-batch.
  *
  * @param leftBound a left row whose time is at most this expires at the end of the batch; `NoBound` if none does
  * @param leftReach where, seen from a left row, the times of the right rows lie that can match it
  */
final case class JoinShape(kind: JoinKind, leftBound: Long, rightBound: Long, leftReach: Reach, rightReach: Reach) {
  def bound(side: Int): Long = if (side == Side.Left) leftBound else rightBound
  def reach(side: Int): Reach = if (side == Side.Left) leftReach else rightReach
}

object JoinShape {

  /** The time of a row that has none: it never expires and comes last. */
  val NoTime: Long = Long.MaxValue
  val NoBound: Long = Long.MinValue
}

/** A closed range of time differences; the extremes of `Long` stand for no bound.
  *
  * @param needsTime whether rows without a time reach nothing and are out of reach, rather than the opposite
  */
final case class Reach(from: Long, to: Long, needsTime: Boolean = false) {

  /** The earliest time in reach of a row at `time`. O(1). */
  def earliest(time: Long): Long =
    if (time == JoinShape.NoTime) (if (needsTime) Long.MaxValue else Long.MinValue)
    else if (from == Long.MinValue) Long.MinValue
    else Reach.add(time, from)

  /** The latest time in reach of a row at `time`. O(1). */
  def latest(time: Long): Long =
    if (time == JoinShape.NoTime) (if (needsTime) Long.MinValue else JoinShape.NoTime)
    else {
      val last = if (to == Long.MaxValue) JoinShape.NoTime else Reach.add(time, to)
      if (needsTime && last == JoinShape.NoTime) JoinShape.NoTime - 1 else last
    }
}

object Reach {
  val Everything: Reach = Reach(Long.MinValue, Long.MaxValue)

  private def add(a: Long, b: Long): Long = {
    val sum = a + b
    if (((a ^ sum) & (b ^ sum)) < 0) (if (a < 0) Long.MinValue else Long.MaxValue) else sum
  }
}
