package org.apache.spark.sql.shedjoin.recovery

import java.nio.file.{Files, Path, StandardCopyOption}

import org.apache.spark.sql.functions.{col, expr}
import org.apache.spark.sql.shedjoin.ShedJoinExtensions
import org.apache.spark.sql.shedjoin.conf.ShedJoinRegistry
import org.apache.spark.sql.streaming.Trigger
import org.apache.spark.sql.types.{IntegerType, LongType, StructType, TimestampType}
import org.apache.spark.sql.{DataFrame, SparkSession}

/** The query that recovery is tried on: a left outer interval join of two folders of files. */
object RecoveryQuery {

  private val Input = new StructType().add("k", IntegerType).add("at", TimestampType).add("id", LongType)

  private val Output = new StructType().add("lk", IntegerType).add("lid", LongType).add("rid", LongType)

  /** What makes much happen in few batches: snapshots and deletions every other one, maintenance all the time.
    *
    * The sink's log keeps what it compacted: with one such file left, Spark may compact less often from a restart on than
    * readers of the log think it does, and these then miss a file.
    */
  val Conf: Map[String, String] = Map(
    "spark.sql.shuffle.partitions" -> "3",
    "spark.sql.session.timeZone" -> "UTC",
    "spark.sql.streaming.minBatchesToRetain" -> "2",
    "spark.sql.streaming.stateStore.minDeltasForSnapshot" -> "2",
    "spark.sql.streaming.stateStore.maintenanceInterval" -> "50ms",
    "spark.sql.streaming.fileSink.log.compactInterval" -> "4",
    "spark.sql.streaming.fileSource.log.compactInterval" -> "4",
    "spark.sql.codegen.wholeStage" -> "false",
    "spark.ui.enabled" -> "false"
  )

  /** What makes the join ours. */
  val Shed: Map[String, String] = Map(
    "spark.sql.extensions" -> classOf[ShedJoinExtensions].getName,
    ShedJoinRegistry.confKey("enabled") -> "true"
  )

  /** The format of the checkpoint: in the second one each commit of a partition's state has an id. */
  def checkpointFormat(version: Int): Map[String, String] =
    Map(FormatKey -> version.toString)

  private val FormatKey = "spark.sql.streaming.stateStore.checkpointFormatVersion"

  /** One of the two formats, the other one for the next number. */
  def someFormat(number: Long): Int = 1 + Math.floorMod(number, 2L).toInt

  def joined(spark: SparkSession, folder: Path): DataFrame = {
    val left = side(spark, folder.resolve("left"), "l")
    val right = side(spark, folder.resolve("right"), "r")
    val within = "lk = rk AND rat BETWEEN lat - INTERVAL 15 SECONDS AND lat + INTERVAL 20 SECONDS"
    left.join(right, expr(within), "leftOuter").select("lk", "lid", "rid")
  }

  /** Runs the query in `folder` from where it stands to the end of its input.
    *
    * A file sink runs no batch again that it has written, and with checkpoint format 2 Spark can not go on then, as no task
    * tells it the ids of the state: "CheckpointInfo length: 0". There each batch is written anew into a folder of its own.
    */
  def run(joined: DataFrame, folder: Path): Unit = {
    val out = folder.resolve("out").toString
    val writer = joined.writeStream
      .option("checkpointLocation", folder.resolve("checkpoint").toString)
      .trigger(Trigger.AvailableNow())
    val hasIds = joined.sparkSession.conf.get(FormatKey, "1") == "2"
    val query =
      if (hasIds)
        writer
          .foreachBatch((rows: DataFrame, batch: Long) => rows.write.mode("overwrite").json(s"$out/batch-$batch"))
          .start()
      else writer.format("json").option("path", out).start()
    query.awaitTermination()
  }

  /** Writes the rows of the sink, sorted, into the file that `result` names: whole, or not at all. */
  def writeResult(spark: SparkSession, folder: Path): Unit = {
    val read = spark.read.schema(Output).option("recursiveFileLookup", "true")
    val rows = read.json(folder.resolve("out").toString).collect().map(_.mkString(",")).sorted
    val pending = Files.writeString(folder.resolve("result.pending"), rows.mkString("\n"))
    Files.move(pending, result(folder), StandardCopyOption.ATOMIC_MOVE)
  }

  def result(folder: Path): Path = folder.resolve("result.txt")

  private def side(spark: SparkSession, folder: Path, prefix: String): DataFrame = spark.readStream
    .schema(Input)
    .option("maxFilesPerTrigger", 1)
    .json(folder.toString)
    .select(Input.fieldNames.map(name => col(name).as(prefix + name)).toSeq: _*)
    .withWatermark(s"${prefix}at", "10 seconds")
}
