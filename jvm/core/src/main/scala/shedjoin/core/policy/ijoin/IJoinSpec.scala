package shedjoin.core.policy.ijoin

import shedjoin.core.policy.{ParameterKind, PolicyParameter, PolicySpec}

/** The policy of paper 2. */
private[policy] object IJoinSpec {
  import ParameterKind._

  private val maturity =
    PolicyParameter(
      "maturity",
      Whole(0, 1L << 40),
      "2",
      "Rows up to this age, in ticks, stay as long as there are older ones."
    )
  private val patience = PolicyParameter(
    "patience",
    Whole(1, 1L << 40),
    "3",
    "A row that met nothing for so many ticks is unproductive, and is penalised."
  )
  private val penalty =
    PolicyParameter("penalty", Number(0, 1e9), "1", "What each tick without a match costs an unproductive row.")
  private val decay =
    PolicyParameter("decay", Number(0, 1e3), "0.5", "How fast a match is forgotten: by the factor exp(-decay) a tick.")

  private val initial =
    PolicyParameter("initial_priority", Number(0, 1e9), "0", "The priority of a row that met nothing yet.")

  val spec: PolicySpec = PolicySpec(
    "ijoin",
    "The row goes that lately brought least importance for its age (IJOIN).",
    Seq(maturity, patience, penalty, decay, initial)
  ) { (arguments, setting) =>
    val settings = IJoinSettings(
      arguments(maturity),
      arguments(patience),
      arguments(penalty),
      arguments(decay),
      arguments(initial)
    )
    new IJoinPolicy(settings, setting.facts, setting.budget)
  }
}
