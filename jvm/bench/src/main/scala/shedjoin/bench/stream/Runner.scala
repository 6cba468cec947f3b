package shedjoin.bench.stream

import java.nio.file.{Files, Path}

import org.apache.commons.io.FileUtils
import shedjoin.bench.data.CsvFiles
import shedjoin.bench.sink.{HashSink, OutputHash}
import shedjoin.bench.{CpuUse, Machine}

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.shedjoin.bench.LoadedStates
import org.apache.spark.sql.streaming.{StateOperatorProgress, StreamingQuery, StreamingQueryProgress, Trigger}

/** Runs workloads from first to last batch as fast as they go, each run with a new checkpoint under `folder`. */
final class Runner(spark: SparkSession, folder: Path) {
  import Runner.EmptyBatches

  /** Makes the input, where it is kept in files. */
  def prepare(workload: Workload): Unit =
    if (workload.isFiles)
      Seq(workload.left, workload.right).foreach(side =>
        new CsvFiles(side, filesOf(workload).resolve(side.name)).write()
      )

  /** Runs it for `seconds` at most, and forgets it. */
  def warmUp(workload: Workload, contender: Contender, seconds: Int): Unit = inNewFolder { checkpoint =>
    val query = start(workload, contender, checkpoint)
    query.awaitTermination(seconds * 1000L)
    query.stop()
    LoadedStates.unload()
    System.gc()
  }

  def run(workload: Workload, contender: Contender): Run = inNewFolder { checkpoint =>
    val cpuBefore = CpuUse.now()
    val before = System.nanoTime
    val query = start(workload, contender, checkpoint)
    query.awaitTermination()
    val wallSeconds = (System.nanoTime - before) / 1e9
    val cpu = CpuUse.now() - cpuBefore
    val progress = query.recentProgress.toVector
    checkOperator(contender, progress)
    val held = Machine.heldBytes()
    LoadedStates.unload()
    val heldBytes = held - Machine.heldBytes()
    val state = progress.lastOption.flatMap(_.stateOperators.headOption)
    Run(
      contender.name,
      rowsIn = progress.map(_.numInputRows).sum,
      wallSeconds,
      cpu,
      batchMs = durations(progress, "triggerExecution"),
      output = written(checkpoint),
      stateRows = state.fold(0L)(_.numRowsTotal),
      heldBytes,
      reportedBytes = progress.flatMap(_.stateOperators).map(_.memoryUsedBytes).maxOption.getOrElse(0L),
      checkpointBytes = bytesUnder(checkpoint.resolve("state")),
      restored = state.filter(_ => workload.isRestored).map(restore(workload, contender, checkpoint, _))
    )
  }

  /** Goes on from the checkpoint. What the first batch of any query takes longer is not the state's. */
  private def restore(
      workload: Workload,
      contender: Contender,
      checkpoint: Path,
      state: StateOperatorProgress
  ): Restored = {
    val fileBytes = bytesUnder(checkpoint.resolve("state"))
    val more = workload.sides(side => side.copy(rowsABatch = 0, batches = side.batches + EmptyBatches))
    val first = firstBatchLonger(more, contender, checkpoint)
    val fresh = workload.sides(_.copy(rowsABatch = 0, batches = EmptyBatches))
    val firstOfAny = inNewFolder(firstBatchLonger(fresh, contender, _))
    Restored(math.max(first - firstOfAny, 1) / 1000, state.numRowsTotal, state.memoryUsedBytes, fileBytes)
  }

  /** By how many milliseconds the first of several empty batches takes longer than the next. */
  private def firstBatchLonger(workload: Workload, contender: Contender, checkpoint: Path): Double = {
    val query = start(workload, contender, checkpoint)
    query.awaitTermination()
    val batches = durations(query.recentProgress.toVector, "addBatch")
    LoadedStates.unload()
    batches.head - Spread.of(batches.tail).median
  }

  private def start(workload: Workload, contender: Contender, checkpoint: Path): StreamingQuery =
    contender
      .output(newSession(contender), workload, filesOf(workload))
      .writeStream
      .format(classOf[HashSink].getName)
      .option("output", checkpoint.toString)
      .option("checkpointLocation", checkpoint.toString)
      .trigger(Trigger.AvailableNow)
      .start()

  /** Where the files of a workload lie, if it has some. */
  private def filesOf(workload: Workload): Path = folder.resolveSibling("data").resolve(workload.name)

  private def newSession(contender: Contender): SparkSession = {
    val session = spark.newSession()
    contender.confs.foreach { case (key, value) => session.conf.set(key, value) }
    session
  }

  private def checkOperator(contender: Contender, progress: Seq[StreamingQueryProgress]): Unit = {
    val operators = progress.flatMap(_.stateOperators.map(_.operatorName)).distinct
    require(operators == contender.operator.toSeq, s"${contender.name} ran as ${operators.mkString(", ")}")
  }

  private def durations(progress: Vector[StreamingQueryProgress], of: String): Vector[Double] =
    progress.map(_.durationMs.get(of).toDouble)

  private def written(checkpoint: Path): OutputHash = HashSink.written(checkpoint.toString)

  private def inNewFolder[A](body: Path => A): A = {
    val checkpoint = Files.createTempDirectory(Files.createDirectories(folder), "run")
    try body(checkpoint)
    finally FileUtils.deleteQuietly(checkpoint.toFile)
  }

  private def bytesUnder(root: Path): Long =
    if (Files.exists(root)) FileUtils.sizeOfDirectory(root.toFile) else 0

}

object Runner {
  private val EmptyBatches = 4
}
