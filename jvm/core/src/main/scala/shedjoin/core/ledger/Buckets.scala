package shedjoin.core.ledger

import shedjoin.core.join.{JoinShape, Reach}

/** How the event times of one side are cut into buckets, and which of them a row of the other side reaches.
  *
  * A time is a bucket and an offset, in 64ths of the bucket. Positions are offsets from the start of the bucket of the row
  * that asks; buckets are told apart by their lowest 32 bits.
  *
  * @param reach where, seen from a row of the other side, the times of this side lie that can match it
  */
final private[ledger] class Buckets(reach: Reach) {
  import Buckets._

  /** How long after its time a row of this side can be reached; `Ever` if without bound. */
  val life: Long = if (reach.from <= -Ever) Ever else math.max(0L, -reach.from)

  val width: Long =
    if (life == Ever) Ever / 8
    else if (life > 0) (life + PerLife - 1) / PerLife
    else if (reach.to < Ever) math.max(1L, (reach.to - reach.from) / PerLife)
    else 1

  private var nowBucket = 0L

  /** What is in reach, as positions: from `low` on, up to `high`. */
  private var low, high = 0.0

  def bucket(time: Long): Long = Math.floorDiv(time, width)

  def offset(time: Long): Int = {
    val into = Math.floorMod(time, width)
    (if (width < Ever / 1024) into * Steps / width else into / (width / Steps)).toInt.min(Steps - 1)
  }

  /** The row that asks from now on is at `time`. O(1). */
  def standAt(time: Long): Unit = {
    val earliest = reach.earliest(time)
    val latest = reach.latest(time)
    nowBucket = bucket(time)
    low = if (earliest == Long.MinValue) Double.NegativeInfinity else edge(earliest, 0)
    high = if (latest == JoinShape.NoTime) Double.PositiveInfinity else edge(latest, 1)
  }

  /** Where a time starts or, one `later`, ends. Offsets of wide buckets are of many times, which lie evenly. */
  private def edge(time: Long, later: Int): Double = {
    val start = (bucket(time) - nowBucket).toDouble * Steps
    if (width <= Steps) start + offset(time) + later
    else start + (Math.floorMod(time, width).toDouble + later) * Steps / width
  }

  def reachesTimeless: Boolean = high == Double.PositiveInfinity

  /** How many of so many rows of a bucket are in reach, in the mean, the first and the last of which have these offsets; the
    * others lie evenly between the middles of the two. O(1).
    */
  def inReach(bucket: Int, from: Int, to: Int, count: Int): Double = {
    val start = (bucket - nowBucket.toInt).toDouble * Steps
    val first = shareInReach(start + from, start + from + 1)
    if (from == to) count * first
    else {
      val last = shareInReach(start + to, start + to + 1)
      first + last + (count - 2) * shareInReach(start + from + .5, start + to + .5)
    }
  }

  private def shareInReach(start: Double, end: Double): Double =
    if (start >= low && end <= high) 1.0
    else math.max(0.0, (math.min(end, high) - math.max(start, low)) / (end - start))

  /** How long before the row that asks the middle of these offsets of a bucket lies, in ticks. */
  def age(time: Long, bucket: Int, from: Int, to: Int): Double = {
    val ahead = (bucket - nowBucket.toInt).toDouble + (from + to + 1) / (2.0 * Steps)
    (time - nowBucket * width) - ahead * width
  }
}

private[ledger] object Buckets {

  /** A life without bound, and more than any other. */
  val Ever: Long = Long.MaxValue / 4
  val Steps = 64
  private val PerLife = 16
}
