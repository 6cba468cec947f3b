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
  private var low, high = 0L

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
    low = if (earliest == Long.MinValue) Long.MinValue else position(bucket(earliest) - nowBucket, offset(earliest))
    high = if (latest == JoinShape.NoTime) Long.MaxValue else position(bucket(latest) - nowBucket, offset(latest))
  }

  def reachesTimeless: Boolean = high == Long.MaxValue

  /** The share in reach of rows that lie evenly over these offsets, both included, of a bucket. O(1). */
  def shareInReach(bucket: Int, from: Int, to: Int): Double = {
    val start = position((bucket - nowBucket.toInt).toLong, from)
    val end = start + (to - from)
    if (start >= low && end <= high) 1.0
    else if (start > high || end < low) 0.0
    else (math.min(end, high) - math.max(start, low) + 1).toDouble / (to - from + 1)
  }

  /** How long before the row that asks the middle of these offsets of a bucket lies, in ticks. */
  def age(time: Long, bucket: Int, from: Int, to: Int): Double = {
    val ahead = (bucket - nowBucket.toInt).toDouble + (from + to + 1) / (2.0 * Steps)
    (time - nowBucket * width) - ahead * width
  }

  private def position(buckets: Long, offset: Int): Long = buckets * Steps + offset
}

private[ledger] object Buckets {

  /** A life without bound, and more than any other. */
  val Ever: Long = Long.MaxValue / 4
  val Steps = 64
  private val PerLife = 16
}
