package shedjoin.bench.state

import scala.jdk.CollectionConverters._

import org.openjdk.jmh.profile.GCProfiler
import org.openjdk.jmh.results.RunResult
import org.openjdk.jmh.runner.Runner
import org.openjdk.jmh.runner.options.{OptionsBuilder, TimeValue}

/** Runs [[StateBenchmarks]] in JVMs of their own; the results as Markdown. */
object StateTable {
  private val Allocated = "gc.alloc.rate.norm"

  def measure(isQuick: Boolean): String = {
    val options = new OptionsBuilder()
      .include(s"^${classOf[StateBenchmarks].getName.replace(".", "\\.")}\\.")
      .param("rows", (if (isQuick) Seq("10000", "1000000") else Seq("10000", "1000000", "10000000")): _*)
      .addProfiler(classOf[GCProfiler])
      .forks(1)
      .jvmArgs("-Xms4g", "-Xmx4g")
      .warmupIterations(if (isQuick) 2 else 5)
      .measurementIterations(if (isQuick) 2 else 5)
      .warmupTime(TimeValue.seconds(1))
      .measurementTime(TimeValue.seconds(1))
      .build()
    text(new Runner(options).run().asScala.toSeq)
  }

  private def text(results: Seq[RunResult]): String = {
    val lines = results.map { result =>
      val name = result.getParams.getBenchmark.split('.').last
      val time = result.getPrimaryResult.getScore
      val error = result.getPrimaryResult.getScoreError
      val allocated = result.getSecondaryResults.get(Allocated).getScore
      val rows = result.getParams.getParam("rows").toLong
      f"| $name | $rows%,d | $time%.0f ± $error%.0f | $allocated%.1f |"
    }
    (Head +: lines).mkString("\n")
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
