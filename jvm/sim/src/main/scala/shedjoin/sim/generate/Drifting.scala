package shedjoin.sim.generate

import java.util.SplittableRandom

import shedjoin.core.model.Distribution
import shedjoin.sim.{Trace, TraceSide}

/** Streams of paper 3, section 8: one row a side and step, and what HEEB is to know of them.
  *
  * @param heeb the settings of the policy `heeb`
  */
final case class Drifting(trace: Trace, heeb: Map[String, String])

object Drifting {
  val steps = 5000
  private val leftBound = 10
  private val rightBound = 15

  /** A row stays for half the width of both bounds, in the mean. */
  private val alpha = -1 / math.log1p(-2.0 / (leftBound + rightBound))

  def tower(seed: Long, steps: Int): Drifting =
    trend(Noises.normal(1, leftBound), Noises.normal(2, rightBound), seed, steps = steps)
  def roof(seed: Long, steps: Int): Drifting =
    trend(Noises.normal(3.3, leftBound), Noises.normal(5, rightBound), seed, steps = steps)
  def floor(seed: Long, steps: Int): Drifting =
    trend(Noises.uniform(leftBound), Noises.uniform(rightBound), seed, steps = steps)

  /** Both means rise by 1 a step, the left one `lag` steps behind. No partner comes once a value lies below the bounds. */
  def trend(left: Distribution, right: Distribution, seed: Long, lag: Int = 1, steps: Int = steps): Drifting = {
    val random = new SplittableRandom(seed)
    val leftValues = along(left, -lag, steps, random)
    val rightValues = along(right, 0, steps, random)
    val trace = Trace(
      bounded(leftValues, right, 0),
      bounded(rightValues, left, -lag),
      isStepwise = true
    )
    val settings = Map("model" -> "trend", "alpha" -> s"$alpha", "left_slope" -> "1", "right_slope" -> "1") ++
      Map("left_start" -> s"${-lag}", "left_noise" -> text(left), "right_noise" -> text(right))
    Drifting(trace, settings)
  }

  /** Two random walks with steps of deviation 1, from 0 on. */
  def walk(seed: Long, cacheRows: Int, steps: Int = steps): Drifting = {
    val random = new SplittableRandom(seed)
    val step = Noises.normal(1, 6)
    val draw = new Noises.Draw(step.probabilities)
    def path(): Array[Long] = Array.fill(steps)(step.first + draw.next(random).toLong).scanLeft(0L)(_ + _).tail
    val left = path()
    val right = path()
    val settings =
      Map("model" -> "walk", "alpha" -> s"$cacheRows", "left_step" -> text(step), "right_step" -> text(step))
    Drifting(Trace.ofSteps(left, right), settings)
  }

  private def along(noise: Distribution, start: Int, steps: Int, random: SplittableRandom): Array[Long] = {
    val draw = new Noises.Draw(noise.probabilities)
    Array.tabulate(steps)(t => t.toLong + start + noise.first + draw.next(random))
  }

  /** A value is last reached when the partners' mean has come to it plus their bound. */
  private def bounded(values: Array[Long], partners: Distribution, partnersStart: Int): TraceSide =
    TraceSide(
      values.indices.map(_.toLong).toArray,
      values,
      Array.fill(values.length)(1.0),
      values.map(_ - partnersStart - partners.first)
    )

  private def text(distribution: Distribution): String = distribution.probabilities.mkString(" ")
}
