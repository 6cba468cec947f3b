package shedjoin.bench.policy

import org.openjdk.jmh.profile.GCProfiler
import org.openjdk.jmh.results.RunResult
import org.openjdk.jmh.runner.Runner
import org.openjdk.jmh.runner.options.{Options, OptionsBuilder, TimeValue, VerboseMode}

/** Runs [[PolicyBenchmarks]] in JVMs of their own; the results as Markdown. */
object PolicyTable {
  private val Allocated = "gc.alloc.rate.norm"

  def measure(isQuick: Boolean): String = {
    println("policies, by JMH\n")
    val lines = PolicyBenchmarks.labels.map { policy =>
      val result = line(policy, new Runner(options(policy, isQuick)).runSingle())
      println(result)
      result
    }
    (Head +: lines).mkString("\n")
  }

  private def options(policy: String, isQuick: Boolean): Options =
    new OptionsBuilder()
      .include(s"^${classOf[PolicyBenchmarks].getName.replace(".", "\\.")}\\.storeAndShed$$")
      .param("policy", policy)
      .addProfiler(classOf[GCProfiler])
      .verbosity(VerboseMode.SILENT)
      .forks(1)
      .jvmArgs("-Xms1g", "-Xmx1g")
      .warmupIterations(if (isQuick) 2 else 5)
      .measurementIterations(if (isQuick) 3 else 15)
      .warmupTime(TimeValue.milliseconds(if (isQuick) 500 else 1000))
      .measurementTime(TimeValue.milliseconds(if (isQuick) 500 else 1000))
      .build()

  private def line(policy: String, result: RunResult): String = {
    val time = result.getPrimaryResult.getScore
    val error = result.getPrimaryResult.getScoreError
    val allocated = result.getSecondaryResults.get(Allocated).getScore
    f"| $policy | $time%.0f ± $error%.0f | $allocated%.1f |"
  }

  private val Head =
    """### policies
      |
      |What a shedding policy costs for a row that is stored and another one that is shed for it, a million being stored, one a tick
      |of both sides in turn, by JMH (`PolicyBenchmarks`). What comes suits the policy: values of which some are common, around a
      |trend, on a walk, or coming back to a level; age curves as in paper 1. Where it says `meeting` each row that comes also matches
      |a stored one, of all a million in turn, and for `hist`, which learns from matches, each eighth row: that is part of the cost.
      |
      || policy | ns a row stored and shed | bytes allocated |
      || --- | --- | --- |""".stripMargin
}
