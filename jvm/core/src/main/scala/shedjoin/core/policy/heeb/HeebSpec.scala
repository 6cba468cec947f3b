package shedjoin.core.policy.heeb

import shedjoin.core.Budget
import shedjoin.core.model.{
  AutoRegression,
  BenefitCurves,
  BenefitTable,
  Distribution,
  GridCurve,
  Horizon,
  RegressionCurves
}
import shedjoin.core.policy.curve.{CurveOrigin, CurvePolicy, WorthCurves}
import shedjoin.core.policy.score.RateSpecs
import shedjoin.core.policy.{
  ParameterKind,
  PolicyArguments,
  PolicyException,
  PolicyParameter,
  PolicySetting,
  PolicySpec,
  ShedPolicy,
  Weighing
}

/** The policy of paper 3, for the models of streams it knows. */
private[policy] object HeebSpec {
  import ParameterKind._

  private val anyNumber = Number(-1e15, 1e15)

  private val model = PolicyParameter(
    "model",
    Choice("stationary", "trend", "walk", "ar1", "table"),
    "stationary",
    "What the values are: at even rates, a linear trend with noise (exact where the slopes are whole numbers), a random walk, " +
      "a stream that comes back to a level (AR(1), whose parameters are learned where none is given), or as likely at each step " +
      "as a table says."
  )
  private val horizon = PolicyParameter(
    "horizon",
    Choice("exp", "fixed", "inf", "inv"),
    "exp",
    "How long a row is thought to stay: by alpha, for horizon_steps, or until it can match nothing more, where inf counts " +
      "all partners alike and inv those that come sooner more (1 / steps). The last two are for rows whose life ends."
  )
  private val alpha = PolicyParameter(
    "alpha",
    NumberOrLearned(1e-3, 1e9),
    "1000",
    "How long, in steps, a row is thought to stay: it goes from one step to the next with probability 1 - exp(-1 / alpha). " +
      "Learned from how long rows did stay, where the model is not stationary."
  )
  private val horizonSteps =
    PolicyParameter("horizon_steps", Whole(1, 1 << 20), "100", "How many steps a row is thought to stay.")

  private val step =
    PolicyParameter("ticks_a_step", Whole(1, 1L << 40), "1", "How many ticks lie between two rows of a stream.")
  private val slopes = sides("slope", anyNumber, "0", "By how much the mean of the %s stream rises a step.")
  private val starts = sides("start", anyNumber, "0", "The mean of the %s stream at tick 0.")
  private val noises = sides(
    "noise",
    Numbers,
    "1",
    "How likely the %s stream's values are around its mean: an odd number of probabilities, the middle one that of the mean."
  )

  private val steps = sides(
    "step",
    Numbers,
    "1",
    "How likely the steps of the %s stream are around its drift: an odd number of probabilities, the middle one that of no step."
  )
  private val drifts =
    sides("drift", Whole(-(1 << 20), 1 << 20), "0", "By how much the %s stream's values rise a step.")

  private val phis =
    sides("phi", Number(-.9999, .9999), "0", "Which part of a value of the %s stream the next one takes over.")
  private val constants = sides("constant", anyNumber, "0", "What is added to that on the %s stream.")
  private val deviations =
    sides("deviation", Number(1e-3, 1e12), "1", "The standard deviation of the normal noise of the %s stream.")

  private val regressionMemory = PolicyParameter(
    "ar1_memory",
    Number(50, 1e9),
    "2000",
    "How many rows of an AR(1) stream its parameters are learned from, those that came last."
  )

  private val tables = sides(
    "table",
    Numbers,
    "",
    "How likely each value of the %s stream is, at the first step, at the second one, and so on. Empty: none comes."
  )
  private val tableValues =
    PolicyParameter("table_values", Whole(1, 1 << 16), "1", "How many values a step of a table has.")
  private val tableFirst =
    PolicyParameter("table_first", Whole(Long.MinValue / 8, Long.MaxValue / 8), "0", "The first value of the tables.")
  private val tableStart =
    PolicyParameter(
      "table_start",
      Whole(Long.MinValue / 8, Long.MaxValue / 8),
      "0",
      "The tick of the tables' first step."
    )
  private val tableEnd =
    PolicyParameter("table_end", Choice("repeat", "nothing"), "repeat", "What comes after the tables' last step.")

  private val stepwise: Map[String, Seq[PolicyParameter[_]]] = Map(
    "trend" -> (slopes ++ starts ++ noises),
    "walk" -> (steps ++ drifts),
    "ar1" -> (phis ++ constants ++ deviations :+ regressionMemory),
    "table" -> (tables ++ Seq(tableValues, tableFirst, tableStart, tableEnd))
  )
  private val ofModel: Map[String, Seq[PolicyParameter[_]]] =
    stepwise.map { case (name, parameters) => name -> (Seq(step, RateSpecs.weigh) ++ parameters) } +
      ("stationary" -> RateSpecs.rates)

  private val ofHorizon: Map[String, Seq[PolicyParameter[_]]] =
    Map("exp" -> Seq(alpha), "fixed" -> Seq(horizonSteps), "inf" -> Nil, "inv" -> Nil)

  private val parameters: Seq[PolicyParameter[_]] =
    Seq(model, horizon, alpha, horizonSteps) ++ RateSpecs.rates ++
      (step +: Seq("trend", "walk", "ar1", "table").flatMap(stepwise))

  val spec: PolicySpec = PolicySpec(
    "heeb",
    "The row of least expected benefit goes, by a model of the streams (HEEB).",
    parameters
  ) { (arguments, setting) =>
    arguments.only(model, Seq(horizon, alpha, horizonSteps) ++ ofModel(arguments(model)))
    arguments.only(horizon, parameters.diff(ofHorizon.values.flatten.toSeq) ++ ofHorizon(arguments(horizon)))
    arguments(model) match {
      case "trend" => trend(arguments, setting)
      case "walk" => walk(arguments, setting)
      case "ar1" => regression(arguments, setting)
      case "table" => table(arguments, setting)
      case _ => stationary(arguments, setting)
    }
  }

  private def stationary(arguments: PolicyArguments, setting: PolicySetting): ShedPolicy = {
    if (!setting.livesEnd) refuseEndless(arguments, "rows can match for ever here", "Give the join a window")
    val chosen = horizonOf(arguments).getOrElse {
      throw refusal(
        "alpha of the policy heeb can not be learned where model is stationary; it is what rows of different lives are weighed by. " +
          "Give it as a number."
      )
    }
    RateSpecs.policy(arguments, chosen, setting)
  }

  private def trend(arguments: PolicyArguments, setting: PolicySetting): ShedPolicy = {
    if (slopes.exists(arguments(_) == 0))
      refuseEndless(arguments, "a trend of slope 0 comes back to every value for ever", "Give both slopes")
    val origin =
      new CurveOrigin.Trend(slopes.map(arguments(_)).toArray, starts.map(arguments(_)).toArray, arguments(step))
    // A row expects what comes on the other side.
    val others = slopes.zip(noises).reverse.map { case (slope, noise) => (arguments(slope), around0(arguments, noise)) }
    policy(arguments, setting, origin, 2 * GridCurve.bytes(GridCurve.MostCells)) { (side, horizon, budget) =>
      val (slope, noise) = others(side)
      Array(BenefitCurves.trend(slope, noise, horizon, budget))
    }
  }

  private def walk(arguments: PolicyArguments, setting: PolicySetting): ShedPolicy = {
    refuseEndless(arguments, "a walk comes back to every value for ever", UseAnother)
    val others = steps.zip(drifts).reverse.map { case (step, drift) =>
      val still = around0(arguments, step)
      still.copy(first = still.first + arguments(drift).toInt)
    }
    policy(arguments, setting, new CurveOrigin.LatestValue, 2 * GridCurve.bytes(GridCurve.MostCells)) {
      (side, horizon, budget) => Array(BenefitCurves.walk(others(side), horizon, budget))
    }
  }

  private def regression(arguments: PolicyArguments, setting: PolicySetting): ShedPolicy = {
    refuseEndless(arguments, "an AR(1) stream comes back to every value for ever", UseAnother)
    val cells = RegressionCurves.cellsFor(setting.budget)
    val others = Array(1, 0).map { side =>
      new RegressionCurves(
        AutoRegression(arguments(phis(side)), arguments(constants(side)), arguments(deviations(side))),
        cells
      )
    }
    val isTold = (phis ++ constants ++ deviations).exists(arguments.isGiven(_))
    val origin =
      if (isTold) new CurveOrigin.Expected(others)
      else new CurveOrigin.LearnedExpected(arguments(regressionMemory), cells, others)
    policy(arguments, setting, origin, 2 * RegressionCurves.bytes(cells)) { (side, horizon, budget) =>
      others(side).curves(horizon, budget)
    }
  }

  private def table(arguments: PolicyArguments, setting: PolicySetting): ShedPolicy = {
    if (arguments(tableEnd) == "repeat")
      refuseEndless(arguments, "tables that repeat come back to every value for ever", "Say table_end=nothing")
    val others = tables.reverse.map(tableOf(arguments, _))
    val bytes = others.map(table => table.chances.length * GridCurve.bytes(table.chances(0).length)).sum
    val origin = new CurveOrigin.Calendar(others.toArray, arguments(tableStart), arguments(step))
    policy(arguments, setting, origin, bytes)((side, horizon, budget) => others(side).curves(horizon, budget))
  }

  private def tableOf(arguments: PolicyArguments, parameter: PolicyParameter[Array[Double]]): BenefitTable = {
    val width = arguments(tableValues).toInt
    val told = arguments(parameter)
    val chances = if (told.isEmpty) new Array[Double](width) else told
    val rows = chances.grouped(width).toArray
    if (chances.length % width != 0 || chances.length > MostTable || rows.exists(_.sum > 1 + 1e-6))
      throw refusal(
        s"${parameter.name} has ${chances.length} probabilities, and the greatest sum of a step is ${rows.map(_.sum).max}; there must " +
          s"be $width (table_values) for each step, $MostTable in all at most, with a sum of at most 1."
      )
    BenefitTable(arguments(tableFirst), rows, arguments(tableEnd) == "repeat")
  }

  /** By curves for the rows of a side and a horizon, which goes no farther than the side's window. They take `mostBytes` at
    * most.
    */
  private def policy(arguments: PolicyArguments, setting: PolicySetting, origin: CurveOrigin, mostBytes: Long)(
      curves: (Int, Horizon, Budget) => Array[GridCurve]
  ): ShedPolicy = {
    def bySide(chosen: Horizon, budget: Budget): Array[Array[GridCurve]] =
      Array.tabulate(2) { side =>
        curves(side, within(chosen, math.max(1, setting.windows(side) / arguments(step))), budget)
      }
    val worths = horizonOf(arguments) match {
      case Some(chosen) if !origin.isLearned => new WorthCurves.Given(bySide(chosen, setting.budget))
      case chosen =>
        val make = bySide(_: Horizon, Budget.unlimited)
        new WorthCurves.Learned(chosen, origin, make, mostBytes, arguments(step), setting.budget)
    }
    val weighing = Weighing(arguments(RateSpecs.weigh), setting.facts)
    new CurvePolicy(worths, origin, weighing, setting.facts, setting.budget)
  }

  /** A horizon that does not end is for rows whose lives do. */
  private def within(horizon: Horizon, steps: Long): Horizon =
    if (horizon.reach == Horizon.Endless || horizon.reach <= steps) horizon else Horizon.Within(horizon, steps)

  /** The horizon, or nothing where it is to be learned. */
  private def horizonOf(arguments: PolicyArguments): Option[Horizon] = arguments(horizon) match {
    case "fixed" => Some(Horizon.Fixed(arguments(horizonSteps)))
    case "inf" => Some(Horizon.WholeLife)
    case "inv" => Some(Horizon.Inverse)
    case _ => arguments(alpha).map(Horizon.Decay(_))
  }

  private val UseAnother = "Use another horizon"

  private def refuseEndless(arguments: PolicyArguments, why: String, way: String): Unit =
    if (horizonOf(arguments).exists(_.reach == Horizon.Endless))
      throw refusal(
        s"horizon of the policy heeb is '${arguments(horizon)}', for which a row's life must end, but $why. " +
          s"$way${if (way == UseAnother) "" else ", or use another horizon"}: exp or fixed."
      )

  private def refusal(what: String) = new PolicyException(s"[SHEDJOIN_POLICY_SETTING] $what")

  /** Of a table, all steps and values together. */
  private val MostTable = 1 << 18

  private def sides[T](name: String, kind: ParameterKind[T], default: String, doc: String): Seq[PolicyParameter[T]] =
    Seq("left", "right").map(side => PolicyParameter(s"${side}_$name", kind, default, doc.format(side)))

  def around0(arguments: PolicyArguments, noise: PolicyParameter[Array[Double]]): Distribution = {
    val probabilities = arguments(noise)
    if (probabilities.length % 2 == 0 || math.abs(probabilities.sum - 1) > 1e-6)
      throw refusal(
        s"${noise.name} has ${probabilities.length} probabilities with a sum of ${probabilities.sum}; " +
          "it must have an odd number of them with a sum of 1."
      )
    Distribution.around0(probabilities)
  }
}
