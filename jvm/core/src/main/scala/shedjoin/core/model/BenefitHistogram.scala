package shedjoin.core.model

import java.io.{DataInput, DataOutput}

import shedjoin.core.Budget

/** What rows brought, by how far from the partners' origin they came: two histograms over the same buckets, of the matches
  * a row met while it was stored and of the inverse of the time it was (paper 3, section 6.2).
  *
  * Each bucket holds how many rows it saw, the means of the two and of where they came, and the variance of what they are
  * worth; all of them fade every `period` rows. Then the bucket of the greatest variance is split at its mean, and the two
  * neighbours merged whose worths are nearest, so that there are always as many. The first and the last have no outer
  * bound. Until `period` rows came, only the range of the buckets is learned. Beside them stands their order by worth.
  */
final class BenefitHistogram(buckets: Int, period: Int, budget: Budget) {
  import BenefitHistogram._
  require(buckets >= 3, s"$buckets buckets; there must be at least 3")
  budget.reserve((Fields + 2) * Budget.arrayBytes(buckets, 8) + Budget.arrayBytes(buckets, 4))

  /** The least offset of each bucket but the first. */
  private val starts = new Array[Long](buckets)
  private val counts, matches, inverses, places, squares = new Array[Double](buckets)
  private val columns = Array(counts, matches, inverses, places, squares)

  /** What a row in each bucket is worth: expected matches, weighed down by how long they take; 0 where none was seen. */
  private val worths = new Array[Double](buckets)

  /** The buckets in the order of worth. */
  private val order = Array.range(0, buckets)
  private var seen = 0L
  private var least = Long.MaxValue
  private var most = Long.MinValue

  /** What a row in this bucket is worth. */
  def worth(bucket: Int): Double = worths(bucket)

  def size: Int = if (seen < period) 1 else buckets
  def from(bucket: Int): Long = if (bucket == 0) Lowest else starts(bucket)
  def to(bucket: Int): Long = if (bucket == size - 1) Highest else starts(bucket + 1) - 1

  /** The bucket that has so many before it in the order of worth. O(1). */
  def byWorth(place: Int): Int = order(place)

  /** A row that came at `offset` has gone, `ticks` after it came. O(buckets). */
  def observe(offset: Long, met: Double, ticks: Double): Unit = {
    seen += 1
    if (seen < period) {
      least = math.min(least, offset)
      most = math.max(most, offset)
    } else {
      if (seen == period) spread()
      note(bucketOf(offset), offset, met, 1 / (1 + ticks))
      if (seen % period == 0) {
        fade()
        rebalance()
      }
      sort()
    }
  }

  /** O(buckets) where few change their places; O(buckets^2) at worst, after they were divided anew. */
  private def sort(): Unit = {
    var place = 1
    while (place < buckets) {
      val bucket = order(place)
      var at = place
      while (at > 0 && worth(order(at - 1)) > worth(bucket)) {
        order(at) = order(at - 1)
        at -= 1
      }
      order(at) = bucket
      place += 1
    }
  }

  private def bucketOf(offset: Long): Int = {
    var bucket = 0
    while (bucket < buckets - 1 && starts(bucket + 1) <= offset) bucket += 1
    bucket
  }

  private def note(bucket: Int, offset: Long, met: Double, inverse: Double): Unit = {
    counts(bucket) += 1
    val part = 1 / counts(bucket)
    matches(bucket) += part * (met - matches(bucket))
    inverses(bucket) += part * (inverse - inverses(bucket))
    weigh(bucket)
    places(bucket) += part * (offset - places(bucket))
    val off = met * inverse - worth(bucket)
    squares(bucket) += part * (off * off - squares(bucket))
  }

  private def weigh(bucket: Int): Unit = worths(bucket) = matches(bucket) * inverses(bucket)

  /** Buckets as wide as each other over the range that was seen. */
  private def spread(): Unit = {
    val width = math.max(1, (most - least + buckets) / buckets)
    starts.indices.foreach(bucket => starts(bucket) = least + bucket * width)
  }

  private def fade(): Unit = {
    var bucket = 0
    while (bucket < buckets) {
      counts(bucket) *= Fading
      if (counts(bucket) < Unseen) clear(bucket)
      bucket += 1
    }
  }

  private def clear(bucket: Int): Unit = {
    var field = 0
    while (field < Fields) {
      columns(field)(bucket) = 0
      field += 1
    }
    weigh(bucket)
  }

  private def rebalance(): Unit = {
    var nearest, widest = -1
    var bucket = 0
    while (bucket < buckets - 1) {
      if (nearest < 0 || cost(bucket) < cost(nearest)) nearest = bucket
      bucket += 1
    }
    bucket = 0
    while (bucket < buckets) {
      val isMerged = bucket == nearest || bucket == nearest + 1
      if (!isMerged && cut(bucket) > from(bucket) && (widest < 0 || gain(bucket) > gain(widest))) widest = bucket
      bucket += 1
    }
    if (widest >= 0 && gain(widest) > cost(nearest)) {
      merge(nearest)
      split(if (widest > nearest) widest - 1 else widest)
      weighAll()
    }
  }

  private def weighAll(): Unit = {
    var bucket = 0
    while (bucket < buckets) {
      weigh(bucket)
      bucket += 1
    }
  }

  /** What two neighbours would vary by as one, beside what they vary by now. */
  private def cost(bucket: Int): Double = {
    val (a, b) = (counts(bucket), counts(bucket + 1))
    val off = worth(bucket) - worth(bucket + 1)
    if (a + b == 0) 0 else a * b / (a + b) * off * off
  }

  private def gain(bucket: Int): Double = counts(bucket) * squares(bucket) * SplitShare

  /** Where a bucket would be split. */
  private def cut(bucket: Int): Long =
    if (counts(bucket) == 0) Long.MinValue else math.min(math.ceil(places(bucket)).toLong, to(bucket))

  /** Two neighbours become one, and the last bucket is free. */
  private def merge(bucket: Int): Unit = {
    val (a, b) = (counts(bucket), counts(bucket + 1))
    val all = a + b
    // The first column is the counts.
    var field = 1
    while (all > 0 && field < Fields) {
      val column = columns(field)
      column(bucket) = (a * column(bucket) + b * column(bucket + 1)) / all
      field += 1
    }
    counts(bucket) = all
    move(bucket + 2, bucket + 1, buckets - bucket - 2)
  }

  /** A bucket becomes two that are alike. */
  private def split(bucket: Int): Unit = {
    val at = if (bucket == buckets - 2) math.ceil(places(bucket)).toLong else cut(bucket)
    move(bucket, bucket + 1, buckets - bucket - 1)
    starts(bucket + 1) = at
    counts(bucket) /= 2
    counts(bucket + 1) /= 2
  }

  private def move(from: Int, to: Int, length: Int): Unit = {
    var field = 0
    while (field < Fields) {
      System.arraycopy(columns(field), from, columns(field), to, length)
      field += 1
    }
    System.arraycopy(starts, from, starts, to, length)
  }

  def save(out: DataOutput): Unit = {
    Seq(seen, least, most).foreach(out.writeLong)
    starts.foreach(out.writeLong)
    columns.foreach(_.foreach(out.writeDouble))
  }

  def restore(in: DataInput): Unit = {
    seen = in.readLong()
    least = in.readLong()
    most = in.readLong()
    starts.indices.foreach(starts(_) = in.readLong())
    columns.foreach(column => column.indices.foreach(column(_) = in.readDouble()))
    weighAll()
    sort()
  }

  def checkInvariants(): Unit = if (size > 1) {
    assert(order.sorted.sameElements(order.indices), s"the buckets by worth are ${order.mkString(", ")}")
    order.zip(order.drop(1)).foreach { case (a, b) => assert(worth(a) <= worth(b), s"bucket $a stands before $b") }
    (2 until buckets).foreach(i => assert(starts(i - 1) < starts(i), s"bucket $i begins at ${starts(i)}"))
    counts.indices.foreach { i =>
      assert(counts(i) >= 0 && squares(i) >= 0, s"bucket $i")
      assert(worth(i) == matches(i) * inverses(i), s"bucket $i is worth ${worth(i)}")
      assert(counts(i) > 0 || worth(i) == 0, s"bucket $i is worth ${worth(i)} and saw none")
    }
  }
}

object BenefitHistogram {
  private val Fields = 5
  private val Fading = .95

  /** A bucket of which less is left has seen nothing. */
  private val Unseen = .02

  /** Which part of a bucket's variance a split is taken to remove. */
  private val SplitShare = .25

  /** Far enough that no offset lies beyond, and near enough that an origin can be added. */
  private val Lowest = Long.MinValue / 4
  private val Highest = Long.MaxValue / 4
}
