package shedjoin.core.policy.hist

import shedjoin.core.model.BenefitHistogram
import shedjoin.core.policy.curve.CurveOrigin
import shedjoin.core.policy.{ParameterKind, PolicyParameter, PolicySpec}

/** HEEB where only the form of the streams is known (paper 3, section 6.2). */
private[policy] object HistSpec {
  import ParameterKind._

  private val model = PolicyParameter(
    "model",
    Choice("trend", "walk"),
    "trend",
    "What the values do, with figures that are learned: a linear trend with noise, or a random walk."
  )
  private val buckets =
    PolicyParameter("buckets", Whole(3, 256), "10", "Into how many ranges the distances from the trend are divided.")
  private val period =
    PolicyParameter("period", Whole(4, 1 << 20), "64", "After how many rows that went the ranges are divided anew.")
  private val memory = PolicyParameter(
    "trend_memory",
    Number(2, 1e9),
    "500",
    "How many rows of a stream its trend is learned from, those that came last."
  )

  val spec: PolicySpec = PolicySpec(
    "hist",
    "The row goes that rows at its distance from the other stream brought least (HIST).",
    Seq(model, buckets, period, memory)
  ) { (arguments, setting) =>
    val isWalk = arguments(model) == "walk"
    if (isWalk) arguments.only(model, Seq(buckets, period))
    val origin = if (isWalk) new CurveOrigin.LatestValue else new CurveOrigin.LearnedTrend(arguments(memory))
    val histograms =
      Array.fill(2)(new BenefitHistogram(arguments(buckets).toInt, arguments(period).toInt, setting.budget))
    new HistPolicy(histograms, origin, setting.facts, setting.budget)
  }
}
