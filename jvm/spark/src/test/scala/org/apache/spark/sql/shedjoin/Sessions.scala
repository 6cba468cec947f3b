package org.apache.spark.sql.shedjoin

import java.nio.file.{Files, Path}
import java.util.UUID

import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.{BeforeAndAfterAll, BeforeAndAfterEach}

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.classic.{Dataset, SparkSession}
import org.apache.spark.sql.execution.streaming.checkpointing.OffsetSeqMetadata
import org.apache.spark.sql.execution.streaming.operators.stateful.join.StreamingSymmetricHashJoinExec
import org.apache.spark.sql.execution.streaming.runtime.{
  IncrementalExecution,
  MemoryStream,
  StreamingQueryWrapper,
  WatermarkPropagator
}
import org.apache.spark.sql.execution.{QueryExecution, SparkPlan}
import org.apache.spark.sql.functions.{col, timestamp_seconds}
import org.apache.spark.sql.shedjoin.conf.{ShedJoinOptions, ShedJoinRegistry}
import org.apache.spark.sql.shedjoin.exec.ShedJoinExec
import org.apache.spark.sql.streaming.{OutputMode, StreamingQuery}
import org.apache.spark.sql.{DataFrame, Encoder, Encoders}

/** A session with the extension, streams to join, and ways to look at plans. */
abstract class Sessions extends AnyFunSuite with BeforeAndAfterAll with BeforeAndAfterEach {
  protected def conf: Map[String, String] =
    Map("spark.sql.extensions" -> classOf[ShedJoinExtensions].getName)

  protected lazy val spark: SparkSession = {
    val builder = SparkSession.builder().master("local[2]").config("spark.sql.shuffle.partitions", 2)
    conf.foreach { case (key, value) => builder.config(key, value) }
    builder.getOrCreate()
  }

  override protected def afterEach(): Unit = {
    spark.streams.active.foreach(_.stop())
    spark.conf.getAll.keys.filter(_.startsWith(ShedJoinRegistry.confPrefix)).foreach(spark.conf.unset)
  }

  override protected def afterAll(): Unit = spark.stop()

  protected def set(option: String, value: String): Unit = spark.conf.set(ShedJoinRegistry.confKey(option), value)

  protected def newSource(): MemoryStream[(Int, Long)] = {
    val encoder: Encoder[(Int, Long)] = Encoders.tuple(Encoders.scalaInt, Encoders.scalaLong)
    MemoryStream[(Int, Long)](encoder, spark.sqlContext)
  }

  /** A stream of keys and numbers, whose columns `k` and `s` end in `suffix`. */
  protected def untimed(suffix: String, source: MemoryStream[(Int, Long)] = newSource()): DataFrame =
    source.toDF().toDF(s"k$suffix", s"s$suffix")

  /** Such a stream whose numbers are event times in seconds too, as the column `t`. */
  protected def stream(suffix: String, source: MemoryStream[(Int, Long)] = newSource()): DataFrame =
    untimed(suffix, source)
      .withColumn(s"t$suffix", timestamp_seconds(col(s"s$suffix")))
      .withWatermark(s"t$suffix", "10 seconds")

  /** The physical plan that `explain` shows. */
  protected def planned(frame: DataFrame): SparkPlan = execution(frame).executedPlan

  protected def optimized(frame: DataFrame): LogicalPlan = execution(frame).optimizedPlan

  private def execution(frame: DataFrame): QueryExecution = {
    val execution = frame.asInstanceOf[Dataset[_]].queryExecution
    if (frame.isStreaming) explaining(execution.logical) else execution
  }

  private def explaining(logical: LogicalPlan): QueryExecution = new IncrementalExecution(
    spark,
    logical,
    OutputMode.Append(),
    "<unknown>",
    UUID.randomUUID,
    UUID.randomUUID,
    0,
    None,
    OffsetSeqMetadata(0, 0),
    WatermarkPropagator.noop(),
    isFirstBatch = false
  )

  /** The options of the ShedJoins in a plan, topmost first. */
  protected def shedJoins(plan: SparkPlan): Seq[ShedJoinOptions] = plan.collect { case join: ShedJoinExec =>
    join.options
  }

  protected def shedJoins(frame: DataFrame): Seq[ShedJoinOptions] = shedJoins(planned(frame))

  /** How many stream-stream joins of a plan are left to Spark. */
  protected def sparkJoins(plan: SparkPlan): Int = plan.collect {
    case join: StreamingSymmetricHashJoinExec if !join.isInstanceOf[ShedJoinExec] => join
  }.size

  protected def sparkJoins(frame: DataFrame): Int = sparkJoins(planned(frame))

  protected def executed(query: StreamingQuery): SparkPlan =
    query.asInstanceOf[StreamingQueryWrapper].streamingQuery.lastExecution.executedPlan

  protected def start(frame: DataFrame, name: String, checkpoint: Path = newFolder()): StreamingQuery =
    frame.writeStream.format("memory").queryName(name).option("checkpointLocation", checkpoint.toString).start()

  protected def newFolder(): Path = Files.createTempDirectory("shedjoin")

  /** The text of the error of ShedJoin that `action` throws, whatever it is wrapped in. */
  protected def errorOf(action: => Any): String = {
    val thrown = intercept[Throwable](action)
    val causes = Iterator.iterate(thrown)(_.getCause).takeWhile(_ != null)
    causes.collectFirst { case error: ShedJoinException => error.getMessage }.getOrElse(fail(thrown))
  }
}
