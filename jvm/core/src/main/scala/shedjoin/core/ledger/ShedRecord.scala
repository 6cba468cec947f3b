package shedjoin.core.ledger

import java.io.{DataInput, DataOutput}
import java.util.Arrays

import shedjoin.core.{Budget, Mixer}

/** The latest event time shed, by hash bucket of the key and side: complete, so what it does not know of was not shed. */
final private[ledger] class ShedRecord(width: Int, budget: Budget) {
  import ShedRecord._
  require(Integer.bitCount(width) == 1, s"the width is $width and must be a power of two")
  budget.reserve(bytes(width))
  private val latest = new Array[Long](2 * width)
  clear()

  /** The earliest time that there is counts as the next one. O(1). */
  def add(side: Int, key: Int, time: Long): Unit = {
    val at = place(side, key)
    latest(at) = math.max(latest(at), math.max(time, Nothing + 1))
  }

  /** Whether no row of this side and key whose time is `earliest` or later was shed, for certain. O(1). */
  def hasNoneSince(side: Int, key: Int, earliest: Long): Boolean = {
    val last = latest(place(side, key))
    last == Nothing || last < earliest
  }

  private def place(side: Int, key: Int): Int = side * width + (Mixer(key.toLong).toInt & (width - 1))

  private def clear(): Unit = Arrays.fill(latest, Nothing)

  def save(out: DataOutput): Unit = latest.foreach(out.writeLong)

  def restore(in: DataInput): Unit = latest.indices.foreach(latest(_) = in.readLong())
}

private[ledger] object ShedRecord {
  private val Nothing = Long.MinValue

  def bytes(width: Int): Long = Budget.arrayBytes(2 * width, 8)
}
