package shedjoin.core.model

import java.io.{DataInput, DataOutput}

/** Alpha of L^exp, learned from how many steps rows stayed (paper 3, sections 5.3 and 7.3): that for which rows stay as
  * long in the mean.
  *
  * Representation: decayed moments of the last `Memory` lifetimes or so. What is told of their mean moves in steps of an
  * eighth: when it is known from twice as many, or has moved by most of a step and by more than chance, so that what is made
  * for an alpha is seldom made anew.
  */
final class LearnedAlpha {
  import LearnedAlpha._

  private var count = 0.0
  private var sum, squares = 0.0
  private var level = FirstLevel
  private var toldCount = 0.0

  /** What to reckon with. */
  def alpha: Double = alphaOf(level)

  /** A row stayed for so many steps after the one it came at. O(1). */
  def observe(steps: Double): Unit = {
    count = count * Decay + 1
    sum = sum * Decay + steps
    squares = squares * Decay + steps * steps
  }

  /** The mean of the lifetimes, 0 where there was none. */
  def meanLife: Double = if (count == 0) 0 else sum / count

  /** The alpha at which that many steps are expected, by the sum of exp(-d / alpha). */
  def estimate: Double = if (meanLife == 0) LeastAlpha else 1 / math.log1p(1 / meanLife)

  /** Follows the lifetimes; whether `alpha` is another one now. O(1). */
  def settle(): Boolean = {
    val before = level
    if (count >= Enough) {
      val at = math.min(math.max(StepsAnE * math.log(estimate), 0.0), MostLevel.toDouble)
      val off = math.abs(at - level)
      if (count >= 2 * toldCount || off > Slack && off > chance) {
        level = math.round(at).toInt
        toldCount = count
      }
    }
    level != before
  }

  /** By how many levels the mean may be off by chance: decayed weights are worth twice as many equal ones. */
  private def chance: Double = {
    val variance = math.max(0, squares / count - meanLife * meanLife)
    if (sum == 0) 0 else Errors * StepsAnE * math.sqrt(variance / (2 * count)) / meanLife
  }

  def save(out: DataOutput): Unit = {
    out.writeDouble(count)
    out.writeDouble(sum)
    out.writeDouble(squares)
    out.writeInt(level)
    out.writeDouble(toldCount)
  }

  def restore(in: DataInput): Unit = {
    count = in.readDouble()
    sum = in.readDouble()
    squares = in.readDouble()
    level = in.readInt()
    toldCount = in.readDouble()
  }
}

object LearnedAlpha {
  private val Memory = 1000
  private val Decay = 1 - 1.0 / Memory

  /** Fewer lifetimes tell nothing. */
  private val Enough = 20
  private val StepsAnOctave = 6
  private val StepsAnE = StepsAnOctave / math.log(2)
  private val Slack = .75

  /** So many standard errors are more than chance. */
  private val Errors = 3.5
  private val LeastAlpha = 1.0
  private val MostLevel = 10 * StepsAnOctave
  private val FirstLevel = 4 * StepsAnOctave

  private def alphaOf(level: Int): Double = LeastAlpha * math.pow(2, level.toDouble / StepsAnOctave)
}
