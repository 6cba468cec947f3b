package shedjoin.core.policy

import shedjoin.core.model.{Distribution, FirstUse, GridCurve}

/** HEEB for a cache of a relation's rows, where the references, the left stream, follow a trend (paper 3, sections 7.3 and
  * 7.4). For the other models the policy `heeb` itself ranks rows as a cache needs it.
  */
object CachedHeeb {
  import ParameterKind._

  private val anyNumber = Number(-1e15, 1e15)
  private val model = PolicyParameter("model", Choice("trend"), "trend", "What the references are.")
  private val alpha = PolicyParameter(
    "alpha",
    Number(1e-3, 1e9),
    "1000",
    "How long, in steps, a row is thought to stay: it goes from one step to the next with probability 1 - exp(-1 / alpha)."
  )
  private val step =
    PolicyParameter("ticks_a_step", Whole(1, 1L << 40), "1", "How many ticks lie between two references.")
  private val slope = PolicyParameter("left_slope", anyNumber, "0", "By how much the mean of the references rises a step.")
  private val start = PolicyParameter("left_start", anyNumber, "0", "The mean of the references at tick 0.")
  private val noise = PolicyParameter(
    "left_noise",
    Numbers,
    "1",
    "How likely references are around their mean: an odd number of probabilities, the middle one that of the mean."
  )

  val trend: PolicySpec = PolicySpec(
    "heeb",
    "The row goes that is least likely to be used soon, by a trend of the references.",
    Seq(model, alpha, step, slope, start, noise)
  ) { (arguments, setting) =>
    val around = Distribution.around0(arguments(noise))
    val curve = FirstUse.trend(arguments(slope), around, arguments(alpha), setting.budget)
    val origin = new Origin.Trend(Array(arguments(slope), 0), Array(arguments(start), 0), arguments(step))
    new CurvePolicy(Array(GridCurve.zero(setting.budget), curve), origin, setting.facts, setting.budget)
  }
}
