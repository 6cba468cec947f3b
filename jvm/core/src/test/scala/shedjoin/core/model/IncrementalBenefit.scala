package shedjoin.core.model

/** H with L^exp of one value, taken from step to step (paper 3, section 6.1, corollary 3), for streams whose rows are
  * independent.
  *
  * A step on multiplies the error by exp(1 / alpha), so H is summed up anew every 7 alpha steps, when an error has grown
  * a thousandfold, from a sum whose tail is less than 1e-19. So it stays within 1e-11 of what is summed up each time,
  * relative to alpha, and a step costs O(1) amortised.
  *
  * @param chance the probability that the partners' stream has `value` at a step
  */
final class IncrementalBenefit(val value: Long, start: Long, alpha: Double, chance: (Long, Long) => Double) {
  private val growth = math.exp(1 / alpha)
  private val anchorEvery = math.max(1, (7 * alpha).toInt)
  private var now = start
  private var sinceAnchor = 0
  private var benefit = direct(start)

  def step: Long = now
  def apply(): Double = benefit

  /** One step on. O(1) amortised. */
  def advance(): Unit = {
    now += 1
    sinceAnchor += 1
    if (sinceAnchor < anchorEvery) benefit = growth * benefit - chance(value, now)
    else {
      benefit = direct(now)
      sinceAnchor = 0
    }
  }

  /** H of another value on a trend of `slope`: this value's as many steps from now as the trend takes from the other value
    * to this one (corollary 5). The distance must be a multiple of the slope. O(steps), stable where they lead back.
    */
  def shifted(other: Long, slope: Long): Double = {
    assert((value - other) % slope == 0, s"$value and $other on a trend of $slope")
    var left = (value - other) / slope
    var shifted = if (left > anchorEvery) direct(now + left) else benefit
    if (left <= anchorEvery) {
      var at = now
      while (left > 0) {
        at += 1
        left -= 1
        shifted = growth * shifted - chance(value, at)
      }
      while (left < 0) {
        shifted = (shifted + chance(value, at)) / growth
        at -= 1
        left += 1
      }
    }
    shifted
  }

  /** The sum of the definition. O(alpha). */
  private def direct(from: Long): Double = {
    val steps = math.ceil(IncrementalBenefit.AnchorReach * alpha).toInt
    var sum = 0.0
    var d = steps
    while (d > 0) {
      sum += chance(value, from + d) * math.exp(-d / alpha)
      d -= 1
    }
    sum
  }
}

object IncrementalBenefit {

  /** exp(-48) is 1e-21. */
  private val AnchorReach = 48

  /** Corollary 4: one step on for a cached row of a relation that was not referenced at that step, with this chance. */
  def cachedStep(benefit: Double, alpha: Double, chance: Double): Double =
    (math.exp(1 / alpha) * benefit - chance) / (1 - chance)
}
