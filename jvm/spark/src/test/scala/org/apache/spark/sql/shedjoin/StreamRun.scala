package org.apache.spark.sql.shedjoin

import java.io.File
import java.util.concurrent.ConcurrentHashMap

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.streaming.runtime.{MemoryStream, MicroBatchExecution, StreamingQueryWrapper}
import org.apache.spark.sql.streaming.{StreamingQuery, StreamingQueryProgress}
import org.apache.spark.sql.{DataFrame, Dataset, Row}

/** A row of a join's output: the ids it came from, and all of it as a text. */
final case class Joined(left: Option[Long], right: Option[Long], text: String)

/** What one batch gave: its rows in no order, and what the operator reported. */
final case class BatchResult(id: Long, rows: Vector[Joined], metrics: Map[String, Long]) {
  def sorted: Vector[String] = rows.map(_.text).sorted

  /** What was reported of rows. */
  def rowCounts: Map[String, Long] = metrics - "memoryUsedBytes"
}

/** A query over the streams of a history, by Spark's operator or ours, which may be stopped and started again.
  *
  * @param take
  *   how the sink takes the rows of a batch
  * @param after
  *   what comes after the join, made of its output and the streams of both sides
  */
final class StreamRun(
    spark: SparkSession,
    history: History,
    isShed: Boolean,
    checkpoint: File,
    take: (DataFrame, Long) => Vector[Row] = (rows, _) => rows.collect().toVector,
    after: StreamRun.After = (joined, _, _) => joined
) {
  import spark.implicits._

  private val left = MemoryStream[Event](spark)
  private val right = if (history.selfJoin) left else MemoryStream[Event](spark)
  private val output = new ConcurrentHashMap[Long, Vector[Joined]]
  private val metrics = new ConcurrentHashMap[Long, Map[String, Long]]
  private var query: StreamingQuery = _

  /** Starts the query under the session's confs and those of the history, which the session has only meanwhile. */
  def start(): StreamRun = {
    val before = confs.keys.map(key => key -> spark.conf.getOption(key)).toSeq
    confs.foreach { case (key, value) => spark.conf.set(key, value) }
    try startUnderConfs()
    finally before.foreach { case (key, old) => old.fold(spark.conf.unset(key))(spark.conf.set(key, _)) }
    this
  }

  private def confs: Map[String, String] = history.confs ++ Map(
    "spark.shedjoin.enabled" -> isShed.toString,
    "spark.sql.shuffle.partitions" -> history.partitions.toString,
    "spark.sql.codegen.factoryMode" -> (if (history.codegen) "FALLBACK" else "NO_CODEGEN")
  )

  private def startUnderConfs(): Unit = {
    val keep = (rows: DataFrame, batch: Long) => {
      output.put(batch, take(rows, batch).map(StreamRun.joined))
      ()
    }
    val leftRows = left.toDS().filter("side = 0")
    val rightRows = right.toDS().filter("side = 1")
    query = after(history.join.over(leftRows, rightRows), leftRows, rightRows).writeStream
      .outputMode(if (history.join.updateMode) "update" else "append")
      .option("checkpointLocation", checkpoint.getAbsolutePath)
      .foreachBatch(keep)
      .start()
  }

  /** Adds a batch to both streams at one moment. */
  def add(batch: Seq[Event]): StreamRun = {
    execution.withProgressLocked {
      if (history.selfJoin) left.addData(batch)
      else {
        val (l, r) = batch.partition(_.side == 0)
        if (l.nonEmpty) left.addData(l)
        if (r.nonEmpty) right.addData(r)
      }
    }
    this
  }

  /** Waits until all that was added is processed, batches without data included. */
  def settle(): StreamRun = {
    query.processAllAvailable()
    this
  }

  def stop(): Unit = if (query != null) {
    query.stop()
    collectMetrics()
    query = null
  }

  /** The batches so far; those that ran again stand there as they came out last. */
  def results: Vector[BatchResult] = {
    if (query != null) collectMetrics()
    output.keySet.asScala.toVector.sorted.map(id => BatchResult(id, output.get(id), metrics.get(id)))
  }

  /** What the running query reports of its batches. */
  def progress: Seq[StreamingQueryProgress] = query.recentProgress.toSeq.filter(_.stateOperators.nonEmpty)

  def execution: MicroBatchExecution =
    query.asInstanceOf[StreamingQueryWrapper].streamingQuery.asInstanceOf[MicroBatchExecution]

  private def collectMetrics(): Unit =
    progress.groupBy(_.batchId).foreach { case (id, reports) =>
      assert(reports.head.stateOperators.exists(_.operatorName == "shedJoin") == isShed)
      if (output.containsKey(id)) metrics.put(id, StreamRun.metricsOf(reports.head))
    }
}

object StreamRun {
  type After = (DataFrame, Dataset[Event], Dataset[Event]) => DataFrame

  private def metricsOf(progress: StreamingQueryProgress): Map[String, Long] = {
    val join = progress.stateOperators.head
    Map(
      "numRowsTotal" -> join.numRowsTotal,
      "numRowsUpdated" -> join.numRowsUpdated,
      "numRowsRemoved" -> join.numRowsRemoved,
      "numRowsDroppedByWatermark" -> join.numRowsDroppedByWatermark,
      "memoryUsedBytes" -> join.memoryUsedBytes
    )
  }

  private def joined(row: Row): Joined = {
    def id(column: String): Option[Long] =
      if (row.schema.fieldNames.contains(column)) Option(row.getAs[Any](column)).map(_.asInstanceOf[Long]) else None
    Joined(id("lid"), id("rid"), text(row))
  }

  /** A value as a text that tells apart what Spark tells apart. */
  def text(value: Any): String = value match {
    case bytes: Array[Byte] => bytes.map(b => f"$b%02x").mkString("x", "", "")
    case row: Row => row.toSeq.map(text).mkString("(", ", ", ")")
    case map: scala.collection.Map[_, _] =>
      map.map { case (k, v) => s"${text(k)}: ${text(v)}" }.toSeq.sorted.mkString("{", ", ", "}")
    case all: scala.collection.Seq[_] => all.map(text).mkString("[", ", ", "]")
    case other => String.valueOf(other)
  }
}
