package shedjoin.bench.stream

import shedjoin.bench.CpuUse

/** The results of one workload as Markdown. */
final class WorkloadTable(measured: Measured) {
  import WorkloadTable._
  import measured.workload

  def text: String = {
    val rows = measured.contenders.map(c => columns.map(_.cell(c)))
    val head = columns.map(_.name)
    (Seq(s"### ${workload.name}", "", intro, "") ++ (head +: columns.map(_ => "---") +: rows)
      .map(line) ++ Seq("", notes))
      .mkString("\n")
  }

  private def intro: String =
    s"${workload.title}. ${number(workload.rows.toDouble)} rows in ${workload.batches} batches, " +
      s"${number(measured.contenders.map(measured.runs(_).map(_.stateRows).max).max.toDouble)} rows of state at the end, " +
      s"${number(measured.contenders.map(c => measured.runs(c).last.output.rows).last.toDouble)} results, " +
      s"${measured.rounds.size} rounds."

  private def notes: String = {
    val equality =
      if (measured.differences.isEmpty) "All joins gave the same rows."
      else
        measured.differences.map { case (name, output) => s"$name $output" }.mkString("**Outputs differ:** ", "; ", ".")
    val fewer = measured.contenders.map(c => c -> measured.runs(c).size).collect {
      case (c, runs) if runs < measured.rounds.size => s"${c.name} took part in $runs round only, as it takes longest."
    }
    val tooBig = measured.tooBig.map(c => s"${c.name} did not run: its state does not fit the heap.")
    (equality +: (fewer ++ tooBig)).mkString(" ")
  }

  private def columns: Seq[Column] = Seq(
    Column("", c => s"${c.name}"),
    Column("rows/s", c => if (workload.rows == 0) "" else spread(measured.spread(c)(_.rowsASecond), 1)),
    Column("of the floor", c => measured.speed(c, Contender.Floor).fold("")(s => spread(s, 100) + " %")),
    Column("× Spark (hdfs)", c => measured.speed(c, Contender.Hdfs).fold("")(decimals)),
    Column("wall, s", c => decimals(measured.spread(c)(_.wallSeconds))),
    Column("CPU, s", c => decimals(measured.spread(c)(_.cpu.total))),
    Column("of it tasks / compilers / collector / rest", cpuParts),
    Column("CPU over floor, µs/row", overFloor),
    Column("of Spark's (hdfs)", c => stateful(c)(measured.cpuOverFloor(c, Contender.Hdfs).fold("")(decimals))),
    Column("batch p50 / p99, ms", latency),
    Column("full state, µs/row", steady),
    Column("state, bytes/row: held / reported", stateBytes),
    Column("checkpoint, KB/batch", c => stateful(c)(number(measured.spread(c)(_.checkpointBytesABatch / 1e3).median))),
    Column("restore: s, MB/s of state, MB/s of rows, MB of files", restored)
  ).filter(column => measured.contenders.exists(column.cell(_).nonEmpty))

  private def overFloor(contender: Contender): String =
    if (workload.rows == 0) ""
    else stateful(contender)(measured.cpuOverFloor(contender).fold("")(s => decimals(s.times(1e6 / workload.rows))))

  private def cpuParts(contender: Contender): String =
    Seq[CpuUse => Double](_.tasks, _.compilers, _.collector, _.rest)
      .map(part => f"${measured.spread(contender)(run => part(run.cpu)).median}%.2f")
      .mkString(" / ")

  private def latency(contender: Contender): String = {
    val all = Spread.of(measured.runs(contender).flatMap(_.batchMs))
    s"${number(all.at(0.5))} / ${number(all.at(0.99))}"
  }

  private def steady(contender: Contender): String =
    if (workload.rowsABatch == 0) ""
    else decimals(measured.spread(contender)(_.steadyMs * 1000 / workload.rowsABatch))

  private def stateBytes(contender: Contender): String = stateful(contender) {
    def aRow(bytes: Run => Long) = number(measured.spread(contender)(r => bytes(r).toDouble / r.stateRows).median)
    if (measured.runs(contender).exists(_.stateRows == 0)) "" else s"${aRow(_.heldBytes)} / ${aRow(_.reportedBytes)}"
  }

  private def restored(contender: Contender): String = {
    val all = measured.runs(contender).flatMap(_.restored)
    if (all.isEmpty) ""
    else {
      def median(figure: Restored => Double) = Spread.of(all.map(figure)).median
      val ofState = number(median(r => r.stateBytes / 1e6 / r.seconds))
      val ofRows = number(median(r => r.rows * workload.rowBytes / 1e6 / r.seconds))
      f"${median(_.seconds)}%.2f, $ofState, $ofRows, ${number(median(_.fileBytes / 1e6))}"
    }
  }

  private def stateful(contender: Contender)(cell: => String): String = if (contender.operator.isEmpty) "" else cell
}

object WorkloadTable {
  final private case class Column(name: String, cell: Contender => String)

  private def line(cells: Seq[String]): String = cells.mkString("| ", " | ", " |")

  private def number(value: Double): String = f"$value%,.0f"

  /** Median and extremes. */
  private def spread(s: Spread, scale: Double): String =
    f"${s.median * scale}%,.0f (${s.least * scale}%,.0f–${s.most * scale}%,.0f)"

  private def decimals(s: Spread): String = f"${s.median}%.2f (${s.least}%.2f–${s.most}%.2f)"
}
