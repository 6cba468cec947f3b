package shedjoin.core.policy

import shedjoin.core.Budget
import shedjoin.core.ledger.AgeCurveSource

/** What a policy is made for.
  *
  * @param livesEnd whether every row has a last tick at which it can match
  * @param windows how many ticks after it came a row can match at, at most, by side
  * @param ages what a ledger knows of the partners by age, for policies that learn them, if there is one
  */
final case class PolicySetting(
    facts: RowFacts,
    budget: Budget,
    seed: Long,
    livesEnd: Boolean = true,
    windows: Seq[Long] = Seq(RowFacts.Never, RowFacts.Never),
    ages: Option[AgeCurveSource] = None
)

/** The settings of a policy, checked. */
final class PolicyArguments private[policy] (policy: String, texts: Map[String, String]) {

  def apply[T](parameter: PolicyParameter[T]): T = {
    val text = texts.getOrElse(parameter.name, parameter.default)
    parameter.kind.parse(text).getOrElse {
      val name = parameter.name
      throw new PolicyException(
        s"[SHEDJOIN_POLICY_SETTING] $name of the policy $policy is '$text'; it must be ${parameter.kind.allowed}."
      )
    }
  }

  def isGiven(parameter: PolicyParameter[_]): Boolean = texts.contains(parameter.name)

  /** Refuses settings that do not go with the choice made by another one. */
  def only(choice: PolicyParameter[String], parameters: Seq[PolicyParameter[_]]): Unit =
    texts.keys.find(name => !(parameters :+ choice :+ SplitPolicy.split).exists(_.name == name)).foreach { name =>
      throw new PolicyException(
        s"[SHEDJOIN_POLICY_SETTING] $name of the policy $policy has no meaning where ${choice.name} is ${apply(choice)}."
      )
    }
}
