package shedjoin.bench.stream

import java.nio.file.Path

import shedjoin.bench.Machine
import shedjoin.bench.data.{CsvFiles, GeneratedSource, SideRows}

import org.apache.spark.sql.functions.{col, expr, timestamp_millis}
import org.apache.spark.sql.{DataFrame, SparkSession}

/** A way to run a workload.
  *
  * @param heapARow
  *   bytes of heap that a stored row needs beside its own
  * @param mostRounds
  *   in how many rounds of a workload it takes part, the first ones
  * @param operator
  *   what the stateful operator must report to be called, so that nobody measures another join than he thinks
  */
final case class Contender(
    name: String,
    title: String,
    operator: Option[String],
    confs: Map[String, String],
    heapARow: Int = 0,
    mostRounds: Int = Int.MaxValue
) {

  /** Whether the state comes anywhere near the heap; out of memory, Spark would end the process. */
  def fits(workload: Workload): Boolean =
    heapARow == 0 || workload.fullStateRows * (heapARow + workload.rowBytes) < Machine.maxHeapBytes * 0.85

  /** The workload's output in a session that has `confs`.
    *
    * @param folder
    *   where the files of a workload lie, a folder for each side
    */
  def output(spark: SparkSession, workload: Workload, folder: Path): DataFrame = {
    def side(rows: SideRows) = {
      val stream = if (workload.isFiles) Contender.files(spark, rows, folder) else Contender.made(spark, rows)
      stream.withWatermark(s"${rows.name}Time", s"${workload.delayMs} milliseconds")
    }
    val left = side(workload.left)
    val right = side(workload.right)
    if (operator.isDefined) left.join(right, expr(Contender.condition(workload)), workload.joinType)
    else Contender.shuffled(left, "leftKey").union(Contender.shuffled(right, "rightKey"))
  }
}

object Contender {
  private val Partitions = 2
  private val SparksJoin = Some("symmetricHashJoin")
  private val RocksDbProvider = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"

  /** As Spark's guide advises: with changelogs, for else it stores all of its files with each batch. */
  private val RocksDbConfs =
    store(RocksDbProvider) + ("spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled" -> "true")
  private val HdfsProvider = "org.apache.spark.sql.execution.streaming.state.HDFSBackedStateStoreProvider"

  val Floor: Contender =
    Contender("floor", "the same scan and shuffle, no join", None, Map.empty)
  val Hdfs: Contender =
    Contender("spark-hdfs", "Spark's join, HDFSBackedStateStore", SparksJoin, store(HdfsProvider), heapARow = 600)
  val RocksDb2: Contender =
    Contender("spark-rocksdb2", "Spark's join, RocksDB, state format 2", SparksJoin, RocksDbConfs, mostRounds = 1)
  val RocksDb4: Contender = Contender(
    "spark-rocksdb4",
    "Spark's join, RocksDB, state format 4 (`spark.sql.streaming.join.stateFormatV4.enabled`, not yet released by Spark)",
    SparksJoin,
    RocksDbConfs ++ Map(
      "spark.sql.streaming.join.stateFormatVersion" -> "4",
      "spark.sql.streaming.join.stateFormatV4.enabled" -> "true"
    ),
    mostRounds = 1
  )
  val Shed: Contender =
    Contender("shedjoin", "shedjoin", Some("shedJoin"), Map("spark.shedjoin.enabled" -> "true"))

  val all: Seq[Contender] = Seq(Floor, Hdfs, RocksDb2, RocksDb4, Shed)

  /** The confs that all have. A streaming plan without state would else be run adaptively, one with state is not. */
  val SharedConfs: Map[String, String] = Map(
    "spark.sql.shuffle.partitions" -> Partitions.toString,
    "spark.sql.adaptive.streaming.stateless.enabled" -> "false",
    // Else a last batch without input would leave less state than there is to be measured.
    "spark.sql.streaming.noDataMicroBatches.enabled" -> "false",
    "spark.sql.streaming.numRecentProgressUpdates" -> "1000",
    "spark.sql.streaming.checkpointFileManagerClass" ->
      "org.apache.spark.sql.execution.streaming.checkpointing.FileSystemBasedCheckpointFileManager"
  )

  private def store(provider: String) = Map("spark.sql.streaming.stateStore.providerClass" -> provider)

  private def made(spark: SparkSession, rows: SideRows): DataFrame =
    spark.readStream.format(classOf[GeneratedSource].getName).options(rows.options).load()

  private def files(spark: SparkSession, rows: SideRows, folder: Path): DataFrame = {
    val Seq(key, time, value) = rows.schema.fieldNames.toSeq: @unchecked
    spark.readStream
      .schema(s"$key LONG, ms LONG, $value LONG")
      .option("maxFilesPerTrigger", CsvFiles.FilesABatch.toLong)
      .csv(folder.resolve(rows.name).toString)
      .select(col(key), timestamp_millis(col("ms")).as(time), col(value))
  }

  private def shuffled(rows: DataFrame, key: String): DataFrame = rows.repartition(Partitions, col(key))

  private def condition(workload: Workload): String = {
    val within = s"INTERVAL ${workload.withinMs / 1000} SECONDS"
    s"leftKey = rightKey AND rightTime BETWEEN leftTime - $within AND leftTime + $within"
  }
}
