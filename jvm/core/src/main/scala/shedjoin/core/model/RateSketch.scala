package shedjoin.core.model

import java.io.{DataInput, DataOutput}

import shedjoin.core.collection.IntTable
import shedjoin.core.{Budget, Mixer}

/** How often each value came on each side, what came long ago counting less: never too little, rarely too much.
  *
  * A count-min sketch (Cormode, Muthukrishnan 2005) with conservative update (Estan, Varghese 2002): `Depth` counters a
  * value, of which the least counts, and of which only those below the new count are raised. All counters of a value lie in
  * one block, a cache line. Counters are floats in units of 2^`base`; where the clock has gone `Steps` half-lives beyond,
  * all are brought to its time.
  *
  * @param width how many counters stand beside one another for each of the `Depth` of a value
  */
final private[core] class RateSketch(width: Int, clock: DecayClock, budget: Budget) {
  import RateSketch._
  require(width >= Depth && Integer.bitCount(width) == 1, s"the width is $width and must be a power of two")

  private val cells = new IntTable(BlockCounters, budget, ChunkShift)
  private var blocks = width / Depth
  private var base = 0L
  cells.ensure(2 * blocks)
  private val totals = {
    budget.reserve(Budget.arrayBytes(2, 8))
    new Array[Double](2)
  }

  /** How often the value came on this side, or more, as a [[LogNumber]]. O(1). */
  def count(side: Int, value: Long): Double = {
    val hash = Mixer.at(0, value)
    val block = blockOf(side, hash)
    LogNumber.of(least(cells.chunk(block), cells.base(block), hash).toDouble, base)
  }

  /** Counts one arrival, now, and returns which share of the earlier ones of its side had its value. O(1). */
  def add(side: Int, value: Long): Double = {
    val hash = Mixer.at(0, value)
    val block = blockOf(side, hash)
    val chunk = cells.chunk(block)
    val start = cells.base(block)
    val one = Math.scalb(clock.weight, (clock.exponent - base).toInt)
    val before = least(chunk, start, hash)
    val raised = before + one
    var depth = 0
    while (depth < Depth) {
      val at = start + place(hash, depth)
      if (java.lang.Float.intBitsToFloat(chunk(at)) < raised) chunk(at) = java.lang.Float.floatToRawIntBits(raised)
      depth += 1
    }
    val total = totals(side)
    totals(side) += one
    if (total > 0) before / total else 0
  }

  /** Nothing came so far. O(width). */
  def clear(): Unit = {
    (0 until 2 * blocks).foreach { block =>
      val start = cells.base(block)
      java.util.Arrays.fill(cells.chunk(block), start, start + BlockCounters, 0)
    }
    java.util.Arrays.fill(totals, 0)
  }

  /** Time has moved. O(1), and O(width) every `Steps` half-lives. */
  def advanced(): Unit = if (clock.exponent - base >= Steps) rebase()

  private def rebase(): Unit = {
    val passed = clock.exponent - base
    val factor = if (passed > 120) 0f else Math.scalb(1f, -passed.toInt)
    (0 until 2 * blocks).foreach { block =>
      val chunk = cells.chunk(block)
      val start = cells.base(block)
      (start until start + BlockCounters).foreach { at =>
        val scaled = java.lang.Float.intBitsToFloat(chunk(at)) * factor
        chunk(at) = java.lang.Float.floatToRawIntBits(if (scaled < Nothing) 0f else scaled)
      }
    }
    totals(0) *= factor
    totals(1) *= factor
    base = clock.exponent
  }

  private def least(chunk: Array[Int], start: Int, hash: Long): Float = {
    var least = Float.MaxValue
    var depth = 0
    while (depth < Depth) {
      least = math.min(least, java.lang.Float.intBitsToFloat(chunk(start + place(hash, depth))))
      depth += 1
    }
    least
  }

  /** Blocks of both sides lie in turn. */
  private def blockOf(side: Int, hash: Long): Int = 2 * ((hash >>> 32).toInt & (blocks - 1)) + side

  def save(out: DataOutput): Unit = {
    out.writeInt(blocks)
    out.writeLong(base)
    totals.foreach(out.writeDouble)
    for (block <- 0 until 2 * blocks; counter <- 0 until BlockCounters) out.writeInt(cells(block, counter))
  }

  def restore(in: DataInput): Unit = {
    blocks = in.readInt()
    base = in.readLong()
    totals.indices.foreach(totals(_) = in.readDouble())
    cells.ensure(2 * blocks)
    for (block <- 0 until 2 * blocks; counter <- 0 until BlockCounters) cells(block, counter) = in.readInt()
  }
}

private[core] object RateSketch {
  private val Depth = 4
  private val BlockCounters = 16
  private val ChunkShift = 10

  /** How many half-lives may pass before the counters are brought to the time of the clock. */
  private val Steps = 8

  /** What is less is 0. */
  private val Nothing = 1e-30f

  /** The width of the widest one, within bounds, that takes at most this part of the budget. */
  def widthFor(budget: Budget): Int = {
    val counters = budget.limitBytes / PartOfBudget / (4 * 2 * Depth)
    math.max(Narrowest.toLong, math.min(java.lang.Long.highestOneBit(counters), Widest.toLong)).toInt
  }
  private val Narrowest = 64
  private val Widest = 1 << 16
  private val PartOfBudget = 16

  /** A quarter of the block for each depth. */
  private def place(hash: Long, depth: Int): Int = 4 * depth + ((hash >>> (2 * depth)).toInt & 3)
}
