package shedjoin.core.policy

/** A policy by name: what it does, what can be set, how it is made.
  *
  * @param isRandom whether what it does depends on the seed
  */
final case class PolicySpec(name: String, doc: String, own: Seq[PolicyParameter[_]], isRandom: Boolean = false)(
    make: (PolicyArguments, PolicySetting) => ShedPolicy
) {

  /** Its own ones, and those of every policy. */
  val parameters: Seq[PolicyParameter[_]] = own :+ SplitPolicy.split

  /** The policy with these settings; throws [[PolicyException]] where one is unknown or can not be. */
  def apply(texts: Map[String, String], setting: PolicySetting): ShedPolicy = {
    val known = parameters.map(_.name)
    texts.keys.find(!known.contains(_)).foreach { unknown =>
      val settings = known.mkString(", ")
      throw new PolicyException(
        s"[SHEDJOIN_POLICY_SETTING] The policy $name has no setting '$unknown'. Its settings are: $settings."
      )
    }
    val arguments = new PolicyArguments(name, texts)
    parameters.foreach(arguments(_))
    SplitPolicy(arguments, setting)(make(arguments, _))
  }
}
