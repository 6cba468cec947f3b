package shedjoin.bench.state

import shedjoin.bench.stream.Spread

/** Runs [[PartitionBatches]] of three sizes; the results as Markdown. */
object PartitionTable {
  private val Sizes = Seq(500, 5000, 50000)
  private val RowsARound = 1000000

  def measure(isQuick: Boolean): String = {
    println("\none partition, without Spark\n")
    val lines = Sizes.map { rows =>
      val result = line(rows, if (isQuick) 3 else 9)
      println(result)
      result
    }
    (Head +: lines).mkString("\n")
  }

  /** The second half of the rounds counts, when all is compiled. */
  private def line(rows: Int, rounds: Int): String = {
    val batches = new PartitionBatches(rows)
    val runs = Vector.fill(rounds * math.max(RowsARound / batches.rows, 1))(batches.run())
    val measured = runs.drop(runs.size / 2)
    val phases = PartitionBatches.Phases.indices.map(phase => Spread.of(measured.map(_(phase))).median)
    val all = Spread.of(measured.map(_.sum))
    val cells = f"$rows%,d" +: phases.map(ns => f"$ns%.0f") :+ f"${all.median}%.0f (${all.least}%.0f–${all.most}%.0f)"
    cells.mkString("| ", " | ", " |")
  }

  private val Head =
    s"""### partition
       |
       |What a row costs one partition of the base workload, on one core, without Spark and with files that go nowhere, in
       |nanoseconds: the same batches with the first column's rows a side, ten keys a row of a side. *open* frees what the batch
       |before removed, *commit* writes the delta; results are copied as they come out.
       |
       || rows a batch of a side | ${PartitionBatches.Phases.mkString(" | ")} | all |
       || --- | --- | --- | --- | --- | --- | --- |""".stripMargin
}
