package shedjoin.core.model

import java.io.{DataInput, DataOutput}

import shedjoin.core.Budget

/** How often each value came on each side, in fixed memory: never too few, rarely too many.
  *
  * A count-min sketch (Cormode, Muthukrishnan 2005) with conservative update (Estan, Varghese 2002): `Depth` counters a
  * value, of which the least counts, and of which only the least are raised.
  */
final class FrequencySketch(width: Int, budget: Budget) {
  import FrequencySketch._
  require(width > 0 && Integer.bitCount(width) == 1, s"the width is $width and must be a power of two")
  budget.reserve(Budget.arrayBytes(2 * Depth * width, 4))
  private val counters = new Array[Int](2 * Depth * width)

  /** Counts one arrival. O(1). */
  def add(side: Int, value: Long): Unit = {
    val least = count(side, value)
    if (least < Int.MaxValue) {
      var depth = 0
      while (depth < Depth) {
        val at = place(side, value, depth)
        if (counters(at) == least) counters(at) = least + 1
        depth += 1
      }
    }
  }

  /** How often the value came on this side, or more. O(1). */
  def count(side: Int, value: Long): Int = {
    var least = Int.MaxValue
    var depth = 0
    while (depth < Depth) {
      least = math.min(least, counters(place(side, value, depth)))
      depth += 1
    }
    least
  }

  private def place(side: Int, value: Long, depth: Int): Int = {
    var h = (value + depth + 1) * 0x9e3779b97f4a7c15L
    h = (h ^ (h >>> 30)) * 0xbf58476d1ce4e5b9L
    h = (h ^ (h >>> 27)) * 0x94d049bb133111ebL
    (side * Depth + depth) * width + ((h ^ (h >>> 31)).toInt & (width - 1))
  }

  def save(out: DataOutput): Unit = counters.foreach(out.writeInt)

  def restore(in: DataInput): Unit = counters.indices.foreach(counters(_) = in.readInt())
}

object FrequencySketch {
  private val Depth = 4
}
