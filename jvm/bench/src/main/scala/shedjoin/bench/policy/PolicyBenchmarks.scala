package shedjoin.bench.policy

import java.util.concurrent.TimeUnit

import org.openjdk.jmh.annotations._

/** What a policy costs for a row that is stored and another one that is shed for it, with `rows` of them stored.
  *
  * {{{java @jvm/bench/target/java.args org.openjdk.jmh.Main PolicyBenchmarks -prof gc}}}
  */
@BenchmarkMode(Array(Mode.AverageTime))
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(PolicyBenchmarks.Rows)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
class PolicyBenchmarks {

  @Benchmark
  def storeAndShed(full: PolicyBenchmarks.Full): Unit = full.store.turnOver(PolicyBenchmarks.Rows)
}

object PolicyBenchmarks {
  final val Rows = 1000

  /** Curves as paper 1 has them, in a window of four million ticks. */
  private val age = Map("left_curve" -> "1 4 9 16 9 4 1", "right_curve" -> "9 4 1") ++
    Map("left_window" -> "4000000", "right_window" -> "4000000")

  private val settings: Map[String, Map[String, String]] = Map(
    "age" -> age,
    "heeb" -> Map("alpha" -> "1000000"),
    "ijoin" -> Map("maturity" -> "1000", "patience" -> "1000000", "decay" -> "0.000001", "penalty" -> "0.000001")
  )

  @State(Scope.Thread)
  class Full {
    @Param(Array("1000000"))
    var rows: Int = _

    @Param(
      Array(
        "random",
        "oldest_first",
        "newest_first",
        "lru",
        "lfu",
        "greedy",
        "size",
        "prob",
        "age",
        "age_learned",
        "hottest_key",
        "life",
        "heeb",
        "hist",
        "ijoin"
      )
    )
    var policy: String = _

    var store: FullStore = _

    @Setup(Level.Trial)
    def fill(): Unit = {
      val name = policy.stripSuffix("_learned")
      store = new FullStore(name, if (name == policy) settings.getOrElse(name, Map.empty) else Map.empty, rows)
    }
  }
}
