package shedjoin.bench.policy

import java.util.concurrent.TimeUnit

import org.openjdk.jmh.annotations._

/** What a policy costs for a row that is stored and another one that is shed for it, with `rows` of them stored.
  *
  * All of them as a table: `make bench ONLY=policies`. One:
  * {{{java @jvm/bench/target/java.args org.openjdk.jmh.Main PolicyBenchmarks -p policy=age -prof gc}}}
  */
@BenchmarkMode(Array(Mode.AverageTime))
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(PolicyBenchmarks.Rows)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 10, time = 1)
@Fork(1)
class PolicyBenchmarks {

  @Benchmark
  def storeAndShed(full: PolicyBenchmarks.Full): Unit = full.store.turnOver(PolicyBenchmarks.Rows)
}

object PolicyBenchmarks {
  final val Rows = 1000

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
        "hottest_key",
        "size",
        "prob",
        "life",
        "age",
        "age_learned",
        "heeb",
        "heeb_trend",
        "heeb_walk",
        "heeb_ar1",
        "heeb_ar1_learned",
        "hist_trend",
        "hist_trend_meeting",
        "hist_walk",
        "hist_walk_meeting",
        "ijoin",
        "ijoin_meeting"
      )
    )
    var policy: String = _

    var store: FullStore = _

    @Setup(Level.Trial)
    def fill(): Unit = store = new FullStore(MeasuredPolicy.of(policy), rows)
  }

  /** What can be measured, in order. */
  def labels: Seq[String] =
    classOf[Full].getDeclaredField("policy").getAnnotation(classOf[Param]).value.toSeq
}
