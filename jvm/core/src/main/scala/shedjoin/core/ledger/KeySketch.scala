package shedjoin.core.ledger

import java.io.{DataInput, DataOutput}

import shedjoin.core.{Budget, Mixer}

/** How often each key lately came, was shed and met partners, on each side, in fixed memory.
  *
  * `Depth` counters a key and count, of which the least says how often, or more (Cormode, Muthukrishnan 2005). All are halved
  * when so many rows came as there are counters for, so they follow what changes (TinyLFU; Einziger, Friedman, Manes
  * 2017). The counts of a key lie side by side: it is read from `Depth` places of memory.
  */
final private[ledger] class KeySketch(width: Int, budget: Budget) {
  import KeySketch._
  require(width > 1 && Integer.bitCount(width) == 1, s"the width is $width and must be a power of two")
  budget.reserve(bytes(width))
  private val counters = new Array[Float](Depth * width * Fields)
  private val totals = new Array[Double](Fields)
  private var arrivals = 0

  /** Notes that a row of `side` came, which may halve all counts. O(1) amortised. */
  def addArrival(side: Int, key: Int): Unit = {
    arrivals += 1
    if (arrivals >= RowsACounter * width) {
      arrivals >>= 1
      halve()
    }
    add(Arrivals + side, key, 1)
  }

  /** Adds to a count of a key. O(1). */
  def add(field: Int, key: Int, amount: Float): Unit = {
    val h = Mixer(key.toLong)
    counters(place(h, 0) + field) += amount
    counters(place(h, 1) + field) += amount
    totals(field) += amount
  }

  /** A count of a key, or more. O(1). */
  def atMost(field: Int, key: Int): Float = {
    val h = Mixer(key.toLong)
    math.min(counters(place(h, 0) + field), counters(place(h, 1) + field))
  }

  /** A count of a key, right in the mean: without what other keys put into its counters, in the mean (Deng, Rafiei 2007);
    * may be negative. O(1).
    */
  def inTheMean(field: Int, key: Int): Double = {
    val h = Mixer(key.toLong)
    val mean = (counters(place(h, 0) + field).toDouble + counters(place(h, 1) + field)) / 2
    (mean - totals(field) / width) * width / (width - 1)
  }

  def total(field: Int): Double = totals(field)

  private def place(h: Long, depth: Int): Int =
    (depth * width + ((h >>> (32 * depth)).toInt & (width - 1))) * Fields

  private def halve(): Unit = {
    var i = 0
    while (i < counters.length) {
      counters(i) /= 2
      i += 1
    }
    i = 0
    while (i < Fields) {
      totals(i) /= 2
      i += 1
    }
  }

  def save(out: DataOutput): Unit = {
    out.writeInt(arrivals)
    totals.foreach(out.writeDouble)
    counters.foreach(out.writeFloat)
  }

  def restore(in: DataInput): Unit = {
    arrivals = in.readInt()
    totals.indices.foreach(totals(_) = in.readDouble())
    counters.indices.foreach(counters(_) = in.readFloat())
  }
}

private[ledger] object KeySketch {
  private val Depth = 2
  private val Fields = 6
  private val RowsACounter = 32

  /** The counts of a side start here: its rows that came, that were shed, and what its rows met after they came. */
  val Arrivals = 0
  val Ghosts = 2
  val Matches = 4

  def bytes(width: Int): Long = Budget.arrayBytes(Depth * width * Fields, 4) + Budget.arrayBytes(Fields, 8)
}
