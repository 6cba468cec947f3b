package shedjoin.bench.stream

import java.nio.file.Path

import shedjoin.bench.policy.PolicyTable
import shedjoin.bench.state.{PartitionTable, StateTable}
import shedjoin.bench.{Deadline, Report}

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.shedjoin.ShedJoinExtensions

/** The structures of the state, and the shedding policies, by themselves; then streaming joins by Spark and by shedjoin on
  * the same input, compared. Takes the folder of the repository, and what `Settings.Usage` says.
  */
object StreamBench {

  def main(args: Array[String]): Unit = {
    val settings = Settings.of(args.toSeq.tail)
    val deadline = new Deadline(settings.minutes)
    val target = Path.of(args.head, "target", "bench")
    val page = if (settings.isWhole) Path.of(args.head, "docs", "benchmarks.md") else target.resolve("benchmarks.md")
    val report = new Report(page, ("make bench" +: settings.variables).mkString(" "))
    if (settings.takes(Settings.Structures)) report.add(StateTable.measure(settings.isQuick))
    if (settings.takes(Settings.Partition)) report.add(PartitionTable.measure(settings.isQuick))
    if (settings.takes(Settings.Policies)) report.add(PolicyTable.measure(settings.isQuick))
    val isEqual = settings.workloads.isEmpty || compare(settings, deadline, report, target.resolve("checkpoints"))
    println(s"\nWritten to $page")
    sys.exit(if (isEqual) 0 else 1)
  }

  private def compare(settings: Settings, deadline: Deadline, report: Report, checkpoints: Path): Boolean = {
    val workloads = settings.workloads
    val spark = session()
    try {
      val rounds = new Rounds(new Runner(spark, checkpoints), settings, deadline)
      val measured = workloads.flatMap { workload =>
        val results = if (deadline.isOver) None else rounds.measure(workload)
        results.foreach { result =>
          val table = new WorkloadTable(result).text
          println(s"\n$table")
          report.add(table)
        }
        results
      }
      measured.forall(_.differences.isEmpty)
    } finally spark.stop()
  }

  private def session(): SparkSession = {
    val builder = SparkSession
      .builder()
      .master("local[2]")
      .appName("shedjoin bench")
      .config("spark.ui.enabled", "false")
      .config("spark.ui.showConsoleProgress", "false")
      .config("spark.sql.extensions", classOf[ShedJoinExtensions].getName)
    Contender.SharedConfs.foreach { case (key, value) => builder.config(key, value) }
    builder.getOrCreate()
  }
}
