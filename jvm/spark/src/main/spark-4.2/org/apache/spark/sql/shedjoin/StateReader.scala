package org.apache.spark.sql.shedjoin

import java.util.UUID

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import shedjoin.state.StateVersion

import org.apache.spark.rdd.RDD
import org.apache.spark.sql
import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.datasources.v2.state.metadata.StateMetadataPartitionReader
import org.apache.spark.sql.execution.streaming.checkpointing.{CheckpointFileManager, CommitLog}
import org.apache.spark.sql.execution.streaming.state.{
  OperatorStateMetadata,
  OperatorStateMetadataV1,
  StateSchemaCompatibilityChecker,
  StateStoreId
}
import org.apache.spark.sql.shedjoin.exec.ShedJoinExec
import org.apache.spark.sql.shedjoin.store.StateTable
import org.apache.spark.sql.types.StructType
import org.apache.spark.util.SerializableConfiguration

/** Reads the state of a join from a checkpoint as a table, at the last batch that was committed. */
object StateReader {

  /** One row for each stored row: partition, side, event time, whether it was matched, key and the row of its side.
    *
    * @param operator which join of the query, by the number in its state folder; needed where there are several
    */
  def read(asked: sql.SparkSession, checkpoint: String, operator: Option[Long]): DataFrame = {
    val session = asked.asInstanceOf[SparkSession]
    val hadoopConf = session.sessionState.newHadoopConf()
    val joins = joinsOf(checkpoint, hadoopConf)
    val chosen = choose(checkpoint, joins, operator)
    val stateFolder = new Path(checkpoint, "state").toString
    val (keys, rows) = schemas(stateFolder, chosen.id, hadoopConf)
    val versions = committed(session, checkpoint, chosen)
    val table = StateTable(stateFolder, chosen.id, keys, rows)
    val conf = SerializableConfiguration.broadcast(session.sparkContext, hadoopConf)
    val read: RDD[InternalRow] = session.sparkContext
      .parallelize(versions.zipWithIndex, versions.length)
      .flatMap { case (version, partition) => table.rows(partition, version, conf.value.value) }
    session.internalCreateDataFrame(read, table.schema)
  }

  /** The same for callers without an `Option`: `operator` may be null. */
  def readNumbered(session: sql.SparkSession, checkpoint: String, operator: Number): DataFrame =
    read(session, checkpoint, Option(operator).map(_.longValue))

  final private case class StoredJoin(id: Long, partitions: Int)

  private def joinsOf(checkpoint: String, hadoopConf: Configuration): Seq[StoredJoin] = {
    val folder = new Path(checkpoint, "state")
    if (!CheckpointFileManager.create(folder, hadoopConf).exists(folder)) throw ShedJoinErrors.noJoinState(checkpoint)
    new StateMetadataPartitionReader(checkpoint, new SerializableConfiguration(hadoopConf), 0).allOperatorStateMetadata
      .flatMap(storedJoin)
      .toSeq
  }

  private def storedJoin(metadata: OperatorStateMetadata): Option[StoredJoin] = metadata match {
    case OperatorStateMetadataV1(info, stores) if info.operatorName == ShedJoinExec.shortName =>
      Some(StoredJoin(info.operatorId, stores.head.numPartitions))
    case _ => None
  }

  private def choose(checkpoint: String, joins: Seq[StoredJoin], operator: Option[Long]): StoredJoin = {
    val meant = operator.fold(joins)(id => joins.filter(_.id == id))
    if (joins.isEmpty) throw ShedJoinErrors.noJoinState(checkpoint)
    if (meant.size != 1) throw ShedJoinErrors.whichJoin(checkpoint, operator, joins.map(_.id))
    meant.head
  }

  private def schemas(stateFolder: String, operator: Long, hadoopConf: Configuration): (StructType, StructType) = {
    val store = StateStoreId(stateFolder, operator, 0).storeCheckpointLocation()
    val file = StateSchemaCompatibilityChecker.schemaFile(store)
    val schema =
      StateSchemaCompatibilityChecker.readSchemaFile(CheckpointFileManager.create(store, hadoopConf).open(file)).head
    (schema.keySchema, schema.valueSchema)
  }

  /** The version of each partition's state after the last committed batch. */
  private def committed(session: SparkSession, checkpoint: String, join: StoredJoin): Seq[StateVersion] = {
    val log = new CommitLog(session, new Path(checkpoint, "commits").toString)
    val (batch, metadata) = log.getLatest().getOrElse(throw ShedJoinErrors.noJoinState(checkpoint))
    val ids = metadata.stateUniqueIds.flatMap(_.get(join.id))
    (0 until join.partitions).map(p => StateVersion(batch + 1, ids.map(_(p).head).map(UUID.fromString)))
  }
}
