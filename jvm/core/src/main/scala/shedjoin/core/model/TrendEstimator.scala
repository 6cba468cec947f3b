package shedjoin.core.model

import java.io.{DataInput, DataOutput}

/** Where a linear trend is, learned from values at ticks that never go back: the least-squares line through them, each
  * counting the less the more came after it (paper 3, section 6.2 asks for any such technique).
  *
  * Representation: decayed means of tick and value, and their second moments. O(1) for everything.
  */
final class TrendEstimator(memory: Double) {
  private val fading = 1 / memory
  private var weight = 0.0
  private var tick, value = 0.0
  private var ticksSquared, product = 0.0

  def observe(at: Long, seen: Double): Unit = {
    weight = weight * (1 - fading) + 1
    val part = 1 / weight
    val (aside, off) = (at - tick, seen - value)
    tick += part * aside
    value += part * off
    ticksSquared = (1 - part) * (ticksSquared + part * aside * aside)
    product = (1 - part) * (product + part * aside * off)
  }

  def isKnown: Boolean = weight > 0
  def slope: Double = if (ticksSquared > 0) product / ticksSquared else 0

  /** What is expected at a tick. */
  def at(now: Long): Double = value + slope * (now - tick)

  def save(out: DataOutput): Unit = Seq(weight, tick, value, ticksSquared, product).foreach(out.writeDouble)

  def restore(in: DataInput): Unit = {
    weight = in.readDouble()
    tick = in.readDouble()
    value = in.readDouble()
    ticksSquared = in.readDouble()
    product = in.readDouble()
  }
}
