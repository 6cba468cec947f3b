package shedjoin.core.policy.heeb

import shedjoin.core.model._
import shedjoin.core.policy.curve.{CurveOrigin, CurvePolicy, WorthCurves}
import shedjoin.core.policy.{
  ParameterKind,
  PolicyArguments,
  PolicyParameter,
  PolicySetting,
  PolicySpec,
  ShedPolicy,
  Weighing
}

/** HEEB for a cache of a relation's rows, the right ones, where the references, the left stream, follow a trend or are AR(1)
  * (paper 3, sections 7.3, 7.4 and 8). For a stationary stream and for a walk the policy `heeb` itself ranks rows as a
  * cache needs it.
  */
object CachedHeeb {
  import ParameterKind._

  private val anyNumber = Number(-1e15, 1e15)
  private val model = PolicyParameter("model", Choice("trend", "ar1"), "trend", "What the references are.")
  private val alpha = PolicyParameter(
    "alpha",
    Number(1e-3, 1e6),
    "1000",
    "How long, in steps, a row is thought to stay: it goes from one step to the next with probability 1 - exp(-1 / alpha)."
  )
  private val step =
    PolicyParameter("ticks_a_step", Whole(1, 1L << 40), "1", "How many ticks lie between two references.")
  private val slope =
    PolicyParameter("left_slope", anyNumber, "0", "By how much the mean of the references rises a step.")
  private val start = PolicyParameter("left_start", anyNumber, "0", "The mean of the references at tick 0.")
  private val noise = PolicyParameter(
    "left_noise",
    Numbers,
    "1",
    "How likely references are around their mean: an odd number of probabilities, the middle one that of the mean."
  )
  private val phi =
    PolicyParameter("left_phi", Number(-.9999, .9999), "0", "Which part of a reference the next one takes over.")
  private val constant = PolicyParameter("left_constant", anyNumber, "0", "What is added to that.")
  private val deviation =
    PolicyParameter("left_deviation", Number(1e-3, 1e12), "1", "The standard deviation of the normal noise.")

  private val ofModel: Map[String, Seq[PolicyParameter[_]]] =
    Map("trend" -> Seq(step, slope, start, noise), "ar1" -> Seq(phi, constant, deviation))

  /** The models for which rows are ranked otherwise than by `heeb`. */
  val models: Set[String] = ofModel.keySet

  val spec: PolicySpec = PolicySpec(
    "heeb",
    "The row goes that is least likely to be used soon, by a model of the references.",
    Seq(model, alpha) ++ ofModel("trend") ++ ofModel("ar1")
  ) { (arguments, setting) =>
    arguments.only(model, alpha +: ofModel(arguments(model)))
    if (arguments(model) == "trend") trend(arguments, setting) else regression(arguments, setting)
  }

  private def trend(arguments: PolicyArguments, setting: PolicySetting): ShedPolicy = {
    val around = HeebSpec.around0(arguments, noise)
    val curve = CacheWorth.trend(arguments(slope), around, arguments(alpha), setting.budget)
    val origin = new CurveOrigin.Trend(Array(arguments(slope), 0), Array(arguments(start), 0), arguments(step))
    policy(Array(curve), origin, setting)
  }

  private def regression(arguments: PolicyArguments, setting: PolicySetting): ShedPolicy = {
    val references = new RegressionCurves(
      AutoRegression(arguments(phi), arguments(constant), arguments(deviation)),
      RegressionCurves.cellsFor(setting.budget)
    )
    // There are no left rows to be cached, so what they would meet does not matter.
    val origin = new CurveOrigin.Expected(Array(references, references))
    policy(references.cachedCurves(arguments(alpha), setting.budget), origin, setting)
  }

  /** By the curves for right rows. */
  private def policy(curves: Array[GridCurve], origin: CurveOrigin, setting: PolicySetting): ShedPolicy = {
    val none = curves.map(_ => GridCurve.zero(setting.budget))
    val worths = new WorthCurves.Given(Array(none, curves))
    new CurvePolicy(worths, origin, Weighing.none(setting.facts), setting.facts, setting.budget)
  }
}
