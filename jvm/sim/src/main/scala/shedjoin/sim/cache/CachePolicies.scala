package shedjoin.sim.cache

import scala.collection.mutable

import shedjoin.core.Budget
import shedjoin.core.policy._
import shedjoin.core.policy.heeb._
import shedjoin.sim.ForesightPolicy

/** The policies of a cache by name: those of the registry, LFD, A0, and HEEB by what the first use of a row brings. */
private[cache] object CachePolicies {

  private val probabilities = PolicyParameter(
    "probabilities",
    ParameterKind.Numbers,
    "",
    "How likely each value is referenced at a tick."
  )
  private val firstValue = PolicyParameter(
    "first_value",
    ParameterKind.Whole(Long.MinValue, Long.MaxValue),
    "0",
    "The value that the first probability is of."
  )

  private val a0 =
    PolicySpec("a0", "The row goes that is referenced least likely (A0).", Seq(probabilities, firstValue)) {
      (arguments, setting) =>
        if (!arguments.isGiven(probabilities))
          throw new PolicyException(
            "[SHEDJOIN_POLICY_SETTING] The policy a0 needs to know how likely references are. Give probabilities, or let lfu count."
          )
        val rates = arguments(probabilities).mkString(" ")
        PolicyRegistry("prob")(Map("right_rates" -> rates, "first_value" -> s"${arguments(firstValue)}"), setting)
    }

  private def lfd(references: Array[Long]): PolicySpec =
    PolicySpec("lfd", "The row goes whose next reference is farthest off (LFD): no policy has more hits.", Nil) {
      (_, _) =>
        val next = nextReferences(references)
        new ForesightPolicy((_, tick) => -next(tick.toInt))
    }

  /** Where the value of each reference is referenced next. */
  private def nextReferences(references: Array[Long]): Array[Long] = {
    val next = new Array[Long](references.length)
    val seen = mutable.LongMap.empty[Long]
    references.indices.reverse.foreach { i =>
      next(i) = seen.getOrElse(references(i), Long.MaxValue)
      seen(references(i)) = i.toLong
    }
    next
  }

  def make(
      name: String,
      settings: Map[String, String],
      references: Array[Long],
      rows: RowFacts,
      seed: Long
  ): ShedPolicy = {
    val spec = name match {
      case "lfd" => lfd(references)
      case "a0" => a0
      case "heeb" if settings.get("model").exists(CachedHeeb.models) => CachedHeeb.spec
      case _ => PolicyRegistry(name)
    }
    spec(settings, PolicySetting(rows, Budget.unlimited, seed, livesEnd = false))
  }
}
