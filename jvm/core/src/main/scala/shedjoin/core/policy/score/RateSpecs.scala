package shedjoin.core.policy.score

import shedjoin.core.model.Horizon
import shedjoin.core.policy.{
  ParameterKind,
  PolicyArguments,
  PolicyParameter,
  PolicySetting,
  PolicySpec,
  ShedPolicy,
  Weighing
}

/** The policies for streams whose values come at even rates. */
private[policy] object RateSpecs {
  import ParameterKind._

  private val leftRates = PolicyParameter(
    "left_rates",
    Numbers,
    "",
    "How many right rows of each value come a tick, for left rows. Without rates, partners are counted."
  )
  private val rightRates = PolicyParameter(
    "right_rates",
    Numbers,
    "",
    "How many left rows of each value come a tick, for right rows."
  )
  private val firstValue =
    PolicyParameter("first_value", Whole(Long.MinValue, Long.MaxValue), "0", "The value that the first rate is of.")
  private val sketchWidth =
    PolicyParameter(
      "sketch_width",
      Choice("auto" +: (6 to 20).map(1 << _).map(_.toString): _*),
      "auto",
      "How many counters a row of the sketch has in which partners are counted; auto: those that go into a sixteenth " +
        "of the memory, 64 to 65,536."
    )
  private val halfLife = PolicyParameter(
    "half_life",
    Whole(0, 1L << 40),
    "0",
    "In how many ticks the counts of partners lose half their weight. 0: in two windows, or where there is none, while " +
      "eight times as many rows come as are stored."
  )
  val weigh: PolicyParameter[String] = Weighing.parameter("both")
  private val counting = Seq(sketchWidth, halfLife)
  val rates: Seq[PolicyParameter[_]] = Seq(leftRates, rightRates, firstValue, weigh) ++ counting

  private val prob = PolicySpec("prob", "The row whose value comes least often on the other side goes (PROB).", rates)(
    (arguments, setting) => scored(source(arguments, setting), weighing(arguments, weigh, setting), setting)
  )

  private val life = PolicySpec(
    "life",
    "The row goes that expects fewest partners for the rest of its life, by rate x life left (LIFE).",
    rates
  )((arguments, setting) => policy(arguments, Horizon.WholeLife, setting))

  /** The paper's SIZE counts results, however important they are. */
  private val weighSize = Weighing.parameter("nothing")
  private val size = PolicySpec(
    "size",
    "The row whose value came least often on the other side goes (SIZE).",
    weighSize +: counting
  )((arguments, setting) => scored(counted(arguments, setting), weighing(arguments, weighSize, setting), setting))

  val all: Seq[PolicySpec] = Seq(prob, life, size)

  def policy(arguments: PolicyArguments, horizon: Horizon, setting: PolicySetting): ShedPolicy =
    new RatePolicy(
      new Score.Rate(source(arguments, setting), weighing(arguments, weigh, setting)),
      horizon,
      setting.facts,
      setting.budget
    )

  private def scored(source: RateSource, weighing: Weighing, setting: PolicySetting): ShedPolicy =
    new ScorePolicy(new Score.Rate(source, weighing), setting.facts, setting.budget)

  private def weighing(
      arguments: PolicyArguments,
      parameter: PolicyParameter[String],
      setting: PolicySetting
  ): Weighing =
    Weighing(arguments(parameter), setting.facts)

  private def source(arguments: PolicyArguments, setting: PolicySetting): RateSource = {
    val isTold = arguments.isGiven(leftRates) || arguments.isGiven(rightRates)
    if (isTold) told(arguments, setting) else counted(arguments, setting)
  }

  private def told(arguments: PolicyArguments, setting: PolicySetting): RateSource =
    new RateSource.Given(
      new Rates(arguments(firstValue), arguments(leftRates), arguments(rightRates)),
      setting.budget
    )

  private def counted(arguments: PolicyArguments, setting: PolicySetting): RateSource =
    new RateSource.Counted(
      arguments(halfLife),
      arguments(sketchWidth).toIntOption.getOrElse(0),
      setting.budget
    )
}
