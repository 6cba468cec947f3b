package shedjoin.core.model

import java.io.{DataInput, DataOutput}

/** Alpha of L^exp, learned from how many steps rows stayed (paper 3, sections 5.3 and 7.3): that for which rows stay as
  * long in the mean.
  *
  * Representation: a decayed mean of the last `Memory` lifetimes or so. What is told of it moves in steps of an eighth, and
  * not before the mean has moved by most of one, so that what is made for an alpha is seldom made anew.
  */
final class LearnedAlpha {
  import LearnedAlpha._

  private var count = 0.0
  private var sum = 0.0
  private var level = FirstLevel

  /** What to reckon with. */
  def alpha: Double = alphaOf(level)

  /** A row stayed for so many steps after the one it came at. O(1). */
  def observe(steps: Double): Unit = {
    count = count * Decay + 1
    sum = sum * Decay + steps
  }

  /** The mean of the lifetimes, 0 where there was none. */
  def meanLife: Double = if (count == 0) 0 else sum / count

  /** The alpha at which that many steps are expected, by the sum of exp(-d / alpha). */
  def estimate: Double = if (meanLife == 0) LeastAlpha else 1 / math.log1p(1 / meanLife)

  /** Follows the lifetimes; whether `alpha` is another one now. O(1). */
  def settle(): Boolean = {
    val before = level
    if (count >= Enough) {
      val at = math.min(math.max(StepsAnOctave * math.log(estimate) / math.log(2), 0.0), MostLevel.toDouble)
      if (math.abs(at - level) > Slack) level = math.round(at).toInt
    }
    level != before
  }

  def save(out: DataOutput): Unit = {
    out.writeDouble(count)
    out.writeDouble(sum)
    out.writeInt(level)
  }

  def restore(in: DataInput): Unit = {
    count = in.readDouble()
    sum = in.readDouble()
    level = in.readInt()
  }
}

object LearnedAlpha {
  private val Memory = 1000
  private val Decay = 1 - 1.0 / Memory

  /** Fewer lifetimes tell nothing. */
  private val Enough = 20
  private val StepsAnOctave = 6
  private val Slack = .75
  private val LeastAlpha = 1.0
  private val MostLevel = 10 * StepsAnOctave
  private val FirstLevel = 4 * StepsAnOctave

  private def alphaOf(level: Int): Double = LeastAlpha * math.pow(2, level.toDouble / StepsAnOctave)
}
