package shedjoin.bench.stream

import java.io.File
import java.nio.file.{Files, Path}
import java.util.Comparator

import scala.jdk.CollectionConverters._

import shedjoin.bench.Machine
import shedjoin.bench.sink.{HashSink, OutputHash}

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.shedjoin.bench.LoadedStates
import org.apache.spark.sql.streaming.{StreamingQuery, StreamingQueryProgress, Trigger}

/** Runs workloads from first to last batch as fast as they go, each run with a new checkpoint under `folder`. */
final class Runner(spark: SparkSession, folder: Path) {
  private var runs = 0

  /** Runs it for `seconds` at most, and forgets it. */
  def warmUp(workload: Workload, contender: Contender, seconds: Int): Unit = inNewFolder { checkpoint =>
    val query = start(workload, contender, checkpoint)
    query.awaitTermination(seconds * 1000L)
    query.stop()
    LoadedStates.unload()
    System.gc()
  }

  def run(workload: Workload, contender: Contender): Run = inNewFolder { checkpoint =>
    val cpuBefore = Machine.cpuSeconds
    val before = System.nanoTime
    val query = start(workload, contender, checkpoint)
    query.awaitTermination()
    val wallSeconds = (System.nanoTime - before) / 1e9
    val cpuSeconds = Machine.cpuSeconds - cpuBefore
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
      cpuSeconds,
      batchMs = durations(progress, "triggerExecution"),
      output = written(checkpoint),
      stateRows = state.fold(0L)(_.numRowsTotal),
      heldBytes,
      reportedBytes = progress.flatMap(_.stateOperators).map(_.memoryUsedBytes).maxOption.getOrElse(0L),
      checkpointBytes = bytesUnder(checkpoint.resolve("state")),
      restored =
        state.filter(_ => workload.isRestored).map(s => restore(workload, contender, checkpoint, s.numRowsTotal))
    )
  }

  /** Goes on from the checkpoint with three empty batches. */
  private def restore(workload: Workload, contender: Contender, checkpoint: Path, rows: Long): Restored = {
    val fileBytes = bytesUnder(checkpoint.resolve("state"))
    val more = workload.sides(side => side.copy(rowsABatch = 0, batches = side.batches + 3))
    val query = start(more, contender, checkpoint)
    query.awaitTermination()
    val batches = durations(query.recentProgress.toVector, "addBatch")
    LoadedStates.unload()
    Restored((batches.head - Spread.of(batches.tail).median) / 1000, rows, fileBytes)
  }

  private def start(workload: Workload, contender: Contender, checkpoint: Path): StreamingQuery = {
    val session = spark.newSession()
    contender.confs.foreach { case (key, value) => session.conf.set(key, value) }
    contender
      .output(session, workload)
      .writeStream
      .format(classOf[HashSink].getName)
      .option("output", checkpoint.toString)
      .option("checkpointLocation", checkpoint.toString)
      .trigger(Trigger.AvailableNow)
      .start()
  }

  private def checkOperator(contender: Contender, progress: Seq[StreamingQueryProgress]): Unit = {
    val operators = progress.flatMap(_.stateOperators.map(_.operatorName)).distinct
    require(operators == contender.operator.toSeq, s"${contender.name} ran as ${operators.mkString(", ")}")
  }

  private def durations(progress: Vector[StreamingQueryProgress], of: String): Vector[Double] =
    progress.map(_.durationMs.get(of).toDouble)

  private def written(checkpoint: Path): OutputHash = HashSink.written(checkpoint.toString)

  private def inNewFolder[A](body: Path => A): A = {
    runs += 1
    val checkpoint = Files.createDirectories(folder.resolve(s"run$runs"))
    try body(checkpoint)
    finally delete(checkpoint)
  }

  private def bytesUnder(root: Path): Long =
    if (Files.exists(root)) filesUnder(root).filter(_.isFile).map(_.length).sum else 0

  private def delete(root: Path): Unit = filesUnder(root).foreach(_.delete())

  /** Files before the folders they are in. */
  private def filesUnder(root: Path): Seq[File] = {
    val paths = Files.walk(root)
    try paths.sorted(Comparator.reverseOrder[Path]).iterator.asScala.map(_.toFile).toVector
    finally paths.close()
  }
}
