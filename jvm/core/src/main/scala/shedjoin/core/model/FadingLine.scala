package shedjoin.core.model

import java.io.{DataInput, DataOutput}

/** The least-squares line through points, each counting the less the more came after it: where a linear trend is (paper 3,
  * section 6.2 asks for any such technique), or what follows a value in a stream.
  *
  * Representation: decayed means of both coordinates, and their second moments. O(1) for everything.
  */
final class FadingLine(memory: Double) {
  private val fading = 1 / memory
  private var total = 0.0
  private var x, y = 0.0
  private var xSquared, ySquared, product = 0.0

  def observe(atX: Double, atY: Double): Unit = {
    total = total * (1 - fading) + 1
    val part = 1 / total
    val (aside, off) = (atX - x, atY - y)
    x += part * aside
    y += part * off
    xSquared = (1 - part) * (xSquared + part * aside * aside)
    ySquared = (1 - part) * (ySquared + part * off * off)
    product = (1 - part) * (product + part * aside * off)
  }

  /** How many points there were, faded. */
  def weight: Double = total
  def isKnown: Boolean = total > 0
  def slope: Double = if (xSquared > 0) product / xSquared else 0

  /** What is expected at a coordinate. */
  def at(place: Double): Double = y + slope * (place - x)

  /** Of the line of another slope: its height at 0, and the mean square by which points are off it. */
  def height(slope: Double): Double = y - slope * x
  def unexplained(slope: Double): Double = math.max(0, ySquared - slope * (2 * product - slope * xSquared))

  def save(out: DataOutput): Unit = Seq(total, x, y, xSquared, ySquared, product).foreach(out.writeDouble)

  def restore(in: DataInput): Unit = {
    total = in.readDouble()
    x = in.readDouble()
    y = in.readDouble()
    xSquared = in.readDouble()
    ySquared = in.readDouble()
    product = in.readDouble()
  }
}
