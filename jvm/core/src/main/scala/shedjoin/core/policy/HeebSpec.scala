package shedjoin.core.policy

import shedjoin.core.model.{BenefitCurves, Distribution, Horizon}

/** The policy of paper 3, for the models of streams it knows. */
private[policy] object HeebSpec {
  import ParameterKind._

  private val anyNumber = Number(-1e15, 1e15)

  private val model = PolicyParameter(
    "model",
    Choice("stationary", "trend", "walk"),
    "stationary",
    "What the values are: at even rates, a linear trend with noise (exact where the slopes are whole numbers), or a random walk."
  )
  private val alpha: PolicyParameter[Double] = PolicyParameter(
    "alpha",
    Number(1e-3, 1e9),
    "1000",
    "How long, in steps, a row is thought to stay: it goes from one step to the next with probability 1 - exp(-1 / alpha)."
  )

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

  private val ofModel: Map[String, Seq[PolicyParameter[_]]] = Map(
    "stationary" -> RateSpecs.rates,
    "trend" -> ((step +: slopes) ++ starts ++ noises),
    "walk" -> (steps ++ drifts)
  )

  val spec: PolicySpec = PolicySpec(
    "heeb",
    "The row of least expected benefit goes, by a model of the streams (HEEB).",
    Seq(model, alpha) ++ Seq("stationary", "trend", "walk").flatMap(ofModel)
  ) { (arguments, setting) =>
    arguments.only(model, alpha +: ofModel(arguments(model)))
    arguments(model) match {
      case "trend" => trend(arguments, setting)
      case "walk" => walk(arguments, setting)
      case _ => RateSpecs.policy(arguments, Horizon.Decay(arguments(alpha)), setting)
    }
  }

  private def trend(arguments: PolicyArguments, setting: PolicySetting): ShedPolicy = {
    // A row expects what comes on the other side.
    val curves = slopes.zip(noises).reverse.map { case (slope, noise) =>
      BenefitCurves.trend(arguments(slope), around0(arguments, noise), arguments(alpha), setting.budget)
    }
    val origin = new Origin.Trend(slopes.map(arguments(_)).toArray, starts.map(arguments(_)).toArray, arguments(step))
    new CurvePolicy(curves.toArray, origin, setting.facts, setting.budget)
  }

  private def walk(arguments: PolicyArguments, setting: PolicySetting): ShedPolicy = {
    val curves = steps.zip(drifts).reverse.map { case (step, drift) =>
      val still = around0(arguments, step)
      val moving = still.copy(first = still.first + arguments(drift).toInt)
      BenefitCurves.walk(moving, arguments(alpha), setting.budget)
    }
    new CurvePolicy(curves.toArray, new Origin.LatestValue, setting.facts, setting.budget)
  }

  private def sides[T](name: String, kind: ParameterKind[T], default: String, doc: String): Seq[PolicyParameter[T]] =
    Seq("left", "right").map(side => PolicyParameter(s"${side}_$name", kind, default, doc.format(side)))

  private def around0(arguments: PolicyArguments, noise: PolicyParameter[Array[Double]]): Distribution = {
    val probabilities = arguments(noise)
    if (probabilities.length % 2 == 0 || math.abs(probabilities.sum - 1) > 1e-6)
      throw new PolicyException(
        s"[SHEDJOIN_POLICY_SETTING] ${noise.name} has ${probabilities.length} probabilities with a sum of ${probabilities.sum}; " +
          "it must have an odd number of them with a sum of 1."
      )
    Distribution.around0(probabilities)
  }
}
