package shedjoin.core.policy.age

import shedjoin.core.Budget
import shedjoin.core.model.{AgeCurve, AgeLearner, AgeModel, GridCurve, LearnedCurve, LedgerAges}
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

/** The policy for streams whose partners come by the age of a row. */
private[policy] object AgeSpec {
  import ParameterKind._

  private val leftWindow =
    PolicyParameter(
      "left_window",
      Whole(1, 1L << 40),
      "1",
      "How many ticks a left row meets partners. Where curves are learned it need not be said of rows that expire."
    )
  private val rightWindow =
    PolicyParameter("right_window", Whole(1, 1L << 40), "1", "How many ticks a right row meets partners.")
  private val leftCurve = PolicyParameter(
    "left_curve",
    Numbers,
    "",
    "How many partners a left row meets in each of equal parts of its window. Empty: none. Without either curve, both are learned."
  )
  private val rightCurve =
    PolicyParameter("right_curve", Numbers, "", "The same for right rows.")
  private val weigh = Weighing.parameter("both")

  val spec: PolicySpec = PolicySpec(
    "age",
    "The row goes that can meet partners least fast from its age on (AGE).",
    Seq(leftWindow, rightWindow, leftCurve, rightCurve, weigh)
  ) { (arguments, setting) =>
    if (arguments.isGiven(leftCurve) || arguments.isGiven(rightCurve)) told(arguments, setting)
    else learned(arguments, setting)
  }

  private def learned(arguments: PolicyArguments, setting: PolicySetting): ShedPolicy = {
    val windows = Seq(leftWindow, rightWindow).map(w => if (arguments.isGiven(w)) arguments(w) else 0L)
    val curves = windows.indices.map(side => new LearnedCurve(model(side, setting), setting.budget))
    new LearnedAgePolicy(windows.toArray, curves.toArray, weighing(arguments, setting), setting.facts, setting.budget)
  }

  private def model(side: Int, setting: PolicySetting): AgeModel =
    setting.ages.fold[AgeModel](new AgeLearner(setting.budget))(new LedgerAges(_, side))

  private def told(arguments: PolicyArguments, setting: PolicySetting): ShedPolicy = {
    val curves = Seq((leftWindow, leftCurve), (rightWindow, rightCurve)).map { case (window, curve) =>
      ageCurve(arguments(window), arguments(curve), setting.budget)
    }
    val worths = new WorthCurves.Given(curves.map(Array(_)).toArray)
    val origin = new CurveOrigin.Now(curves.toArray, 1)
    new CurvePolicy(worths, origin, weighing(arguments, setting), setting.facts, setting.budget)
  }

  private def weighing(arguments: PolicyArguments, setting: PolicySetting): Weighing =
    Weighing(arguments(weigh), setting.facts)

  private def ageCurve(window: Long, curve: Array[Double], budget: Budget): GridCurve =
    if (curve.isEmpty) GridCurve.zero(budget) else new AgeCurve(window, curve).priorities(budget)
}
