package shedjoin.core.policy

import shedjoin.core.policy.age.AgeSpec
import shedjoin.core.policy.arrival.{ArrivalPolicy, RandomPolicy}
import shedjoin.core.policy.heeb.HeebSpec
import shedjoin.core.policy.hist.HistSpec
import shedjoin.core.policy.ijoin.IJoinSpec
import shedjoin.core.policy.score.{HottestKeyPolicy, RateSpecs, Score, ScorePolicy}

/** The policies by name. */
object PolicyRegistry {

  private val random =
    PolicySpec("random", "Any stored row goes, each as likely as any other.", Nil, isRandom = true) { (_, setting) =>
      new RandomPolicy(setting.seed, setting.budget)
    }

  private val hottestKey = PolicySpec(
    "hottest_key",
    "A row of the key with most stored rows goes, the one with least life left.",
    Nil
  )((_, setting) => new HottestKeyPolicy(setting.facts, setting.budget))

  private val arrivals = Seq(
    arrival("oldest_first", "The row that came first goes (FIFO, RECENT)."),
    arrival(
      "newest_first",
      "The row that came last goes, so that others stay until they expire.",
      isNewest = true
    ),
    arrival("lru", "The row that was matched least recently goes.", isRenewed = true)
  )

  private def arrival(name: String, doc: String, isNewest: Boolean = false, isRenewed: Boolean = false): PolicySpec =
    PolicySpec(name, doc, Nil)((_, setting) => new ArrivalPolicy(isNewest, isRenewed, setting.facts, setting.budget))

  private val scores = Seq(
    ("lfu", "The row that was matched least often goes.", Score.Matches),
    ("greedy", "The row of least importance goes.", Score.Importance)
  ).map { case (name, doc, score) =>
    PolicySpec(name, doc, Nil)((_, setting) => new ScorePolicy(score, setting.facts, setting.budget))
  }

  val all: Seq[PolicySpec] =
    (random +: hottestKey +: (arrivals ++ scores)) ++ RateSpecs.all ++ Seq(
      AgeSpec.spec,
      HeebSpec.spec,
      HistSpec.spec,
      IJoinSpec.spec
    )

  /** The policy of this name; throws [[PolicyException]] where there is none. */
  def apply(name: String): PolicySpec = all.find(_.name == name).getOrElse {
    throw new PolicyException(
      s"[SHEDJOIN_POLICY_UNKNOWN] There is no policy '$name'. The policies are: ${all.map(_.name).sorted.mkString(", ")}."
    )
  }
}
