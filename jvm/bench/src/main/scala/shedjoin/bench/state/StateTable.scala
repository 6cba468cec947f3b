package shedjoin.bench.state

import org.openjdk.jmh.profile.GCProfiler
import org.openjdk.jmh.results.RunResult
import org.openjdk.jmh.runner.Runner
import org.openjdk.jmh.runner.options.{Options, OptionsBuilder, TimeValue, VerboseMode}

/** Runs [[StateBenchmarks]] in JVMs of their own; the results as Markdown. */
object StateTable {
  private val Benchmarks = Seq("insert", "probe", "expire", "remove")
  private val Allocated = "gc.alloc.rate.norm"

  def measure(isQuick: Boolean): String = {
    println("structures, by JMH\n")
    val lines = for {
      benchmark <- Benchmarks
      rows <- if (isQuick) Seq(10000, 1000000) else Seq(10000, 1000000, 10000000)
    } yield {
      val result = line(benchmark, rows, new Runner(options(benchmark, rows, isQuick)).runSingle())
      println(result)
      result
    }
    (Head +: lines).mkString("\n")
  }

  private def options(benchmark: String, rows: Int, isQuick: Boolean): Options =
    new OptionsBuilder()
      .include(s"^${classOf[StateBenchmarks].getName.replace(".", "\\.")}\\.$benchmark$$")
      .param("rows", rows.toString)
      .addProfiler(classOf[GCProfiler])
      .verbosity(VerboseMode.SILENT)
      .forks(1)
      .jvmArgs("-Xms4g", "-Xmx4g")
      .warmupIterations(if (isQuick) 2 else 5)
      .measurementIterations(if (isQuick) 3 else 5)
      .warmupTime(TimeValue.milliseconds(if (isQuick) 500 else 1000))
      .measurementTime(TimeValue.milliseconds(if (isQuick) 500 else 1000))
      .build()

  private def line(benchmark: String, rows: Int, result: RunResult): String = {
    val time = result.getPrimaryResult.getScore
    val error = result.getPrimaryResult.getScoreError
    val allocated = result.getSecondaryResults.get(Allocated).getScore
    f"| $benchmark | $rows%,d | $time%.0f ± $error%.0f | $allocated%.1f |"
  }

  private val Head =
    """### structures
      |
      |The state of one partition, by JMH: `.ci/sbt "bench/Jmh/run -prof gc"`. *insert*: stage, arrange, store. *probe*: stage, find,
      |walk the matches, discard. *expire* and *remove* (by id): removal, and freeing at the next batch. Allocated bytes count those
      |of putting the state back as it was.
      |
      || | rows stored | ns a row | bytes allocated a row |
      || --- | --- | --- | --- |""".stripMargin
}
