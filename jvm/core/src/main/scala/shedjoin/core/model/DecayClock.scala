package shedjoin.core.model

import java.io.{DataInput, DataOutput}

/** How many half-lives have passed: forward decay (Cormode, Shkapenyuk, Srivastava, Xu 2009). What comes now weighs 2 to the
  * power of that, so that nothing counted before is touched, and stored sums stay comparable. All methods O(1).
  *
  * @param halfLifeTicks the half-life in ticks; 0: `Lives` times the longest life of a row seen so far; without any finite
  *   life, the time in which `RowsAHalfLife` times as many rows come as are stored
  */
final private[core] class DecayClock(halfLifeTicks: Long) {
  import DecayClock._

  private var tick = Long.MinValue
  private var whole = 0L
  private var part = 0.0
  private var now = 1f
  private var longest = 0L
  private var arrivals = 0L
  private var forgets = false

  /** The weight of what comes now is `weight * 2^exponent`, with a weight in [1, 2). */
  def exponent: Long = whole
  def weight: Float = now

  /** Time has come to `next`; what was told since the last tick decides how far that is. */
  def advance(next: Long, stored: Int): Unit = {
    if (tick != Long.MinValue) move((next - tick).toDouble, math.max(stored, LeastRows))
    tick = next
    arrivals = 0
    if (forgets) whole += Forgotten
    forgets = false
  }

  private def move(ticks: Double, rows: Int): Unit = {
    val halfLives =
      if (halfLifeTicks > 0) ticks / halfLifeTicks
      else if (longest > 0) ticks / (Lives * longest.toDouble)
      else arrivals / (RowsAHalfLife * rows)
    val moved = part + math.min(halfLives, Forever)
    whole += moved.toLong
    part = moved - moved.toLong
    now = math.min(math.pow(2, part).toFloat, BelowTwo)
  }

  /** What came so far weighs next to nothing from the next tick on. */
  def forget(): Unit = forgets = true

  /** Whether that will be so. */
  def isForgetting: Boolean = forgets

  /** A row came. */
  def counted(): Unit = arrivals += 1

  /** A row was stored that can be met for so many ticks, or `Long.MaxValue`. */
  def stored(life: Long): Unit = if (life > longest && life != Long.MaxValue) longest = life

  def save(out: DataOutput): Unit = {
    Seq(tick, whole, longest, arrivals).foreach(out.writeLong)
    out.writeDouble(part)
    out.writeFloat(now)
    out.writeBoolean(forgets)
  }

  def restore(in: DataInput): Unit = {
    tick = in.readLong()
    whole = in.readLong()
    longest = in.readLong()
    arrivals = in.readLong()
    part = in.readDouble()
    now = in.readFloat()
    forgets = in.readBoolean()
  }
}

private object DecayClock {
  private val Lives = 2.0
  private val RowsAHalfLife = 8.0
  private val LeastRows = 1024

  /** So long that what came before weighs nothing. */
  private val Forever = 4096.0
  private val Forgotten = 40
  private val BelowTwo = Math.nextDown(2f)
}
