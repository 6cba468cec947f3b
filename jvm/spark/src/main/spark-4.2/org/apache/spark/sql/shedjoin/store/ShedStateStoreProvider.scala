package org.apache.spark.sql.shedjoin.store

import java.nio.charset.StandardCharsets.UTF_8
import java.util.UUID
import java.util.concurrent.ConcurrentHashMap

import org.apache.hadoop.conf.Configuration
import shedjoin.state.{Attempt, DroppedStates, StateSettings, StateVersion, VersionedState}

import org.apache.spark.sql.execution.streaming.runtime.StreamExecution
import org.apache.spark.sql.execution.streaming.state.{
  KeyStateEncoderSpec,
  StateSchemaProvider,
  StateStore,
  StateStoreConf,
  StateStoreCoordinatorRef,
  StateStoreCustomMetric,
  StateStoreCustomSizeMetric,
  StateStoreCustomSumMetric,
  StateStoreId,
  StateStoreMetrics,
  StateStoreProvider,
  StateStoreProviderId
}
import org.apache.spark.sql.types.StructType
import org.apache.spark.{SparkEnv, TaskContext}

/** Spark's handle on the state of one partition of a join. */
final class ShedStateStoreProvider extends StateStoreProvider {
  private var storeId: StateStoreId = _
  private var storeConf: StateStoreConf = _
  private var hadoopConf: Configuration = _
  private var versions: VersionedState = _

  def init(
      stateStoreId: StateStoreId,
      keySchema: StructType,
      valueSchema: StructType,
      keyStateEncoderSpec: KeyStateEncoderSpec,
      useColumnFamilies: Boolean,
      storeConfs: StateStoreConf,
      hadoopConfiguration: Configuration,
      useMultipleValuesPerKey: Boolean = false,
      stateSchemaProvider: Option[StateSchemaProvider] = None
  ): Unit = {
    storeId = stateStoreId
    storeConf = storeConfs
    hadoopConf = new Configuration(hadoopConfiguration)
    val files = new CheckpointStateFiles(stateStoreId.storeCheckpointLocation(), hadoopConf)
    files.makeDirectory()
    versions = new VersionedState(
      files,
      ShedStateStoreProvider.settings(storeConfs, hadoopConf),
      ShedStateStoreProvider.dropped
    )
    ShedStateStoreProvider.replace(stateStoreId, this)
  }

  def stateStoreId: StateStoreId = storeId

  def getStore(
      version: Long,
      stateStoreCkptId: Option[String],
      forceSnapshotOnCommit: Boolean,
      loadEmpty: Boolean
  ): StateStore = {
    val from = if (loadEmpty) StateVersion.Empty else StateVersion(version, stateStoreCkptId.map(UUID.fromString))
    new ShedStateStore(this, from)
  }

  def doMaintenanceNow(): Unit = {
    val before = versions.snapshotVersion
    versions.maintain()
    val after = versions.snapshotVersion
    if (after > before && storeConf.reportSnapshotUploadLag) reportSnapshot(after)
  }

  /** Tells Spark's coordinator, which else warns of a store that writes no snapshots. */
  private def reportSnapshot(version: Long): Unit = Option(SparkEnv.get).foreach { env =>
    val id = StateStoreProviderId(storeId, UUID.fromString(hadoopConf.get(StreamExecution.RUN_ID_KEY)))
    StateStoreCoordinatorRef.forExecutor(env).snapshotUploaded(id, version, System.currentTimeMillis())
  }

  override def doMaintenance(): Unit = doMaintenanceNow()

  override def close(): Unit = {
    versions.close()
    ShedStateStoreProvider.forget(storeId, this)
  }

  override def supportedCustomMetrics: Seq[StateStoreCustomMetric] = ShedStateStoreProvider.CustomMetrics

  private[shedjoin] def open(from: StateVersion): Attempt = {
    val task: Object = Option(TaskContext.get()).fold(new Object)(context => Long.box(context.taskAttemptId()))
    versions.open(from, task, Option.when(storeConf.enableStateStoreCheckpointIds)(commitId(from, task)))
  }

  /** The id under which a task commits, however often it opens a version: run and attempt make it its own. */
  private def commitId(from: StateVersion, task: Object): UUID = {
    val name = s"${hadoopConf.get(StreamExecution.RUN_ID_KEY)} $task ${from.number}"
    UUID.nameUUIDFromBytes(name.getBytes(UTF_8))
  }

  private[shedjoin] def commit(attempt: Attempt): StateVersion = {
    val committed = attempt.commit()
    if (storeConf.commitValidationEnabled) StateStore.reportCommitToCoordinator(committed.number, storeId, hadoopConf)
    committed
  }

  /** What the task of a committed attempt reports: rows once, and the memory of each state that it opened. */
  private[shedjoin] def metricsOf(attempt: Attempt, atCommit: StateMeasure): StateStoreMetrics = {
    import ShedStateStoreProvider._
    def rows(count: Long): Long = if (attempt.reportsRows) count else 0
    def bytes(count: Long): Long = if (attempt.reportsMemory) count else 0
    val droppedBytes = rows(versions.droppedBytes)
    StateStoreMetrics(
      rows(atCommit.leftRows + atCommit.rightRows),
      bytes(atCommit.usedBytes) + droppedBytes,
      Map(
        LeftRows -> rows(atCommit.leftRows),
        RightRows -> rows(atCommit.rightRows),
        DeadBytes -> bytes(atCommit.deadBytes),
        PeakBytes -> bytes(atCommit.peakBytes),
        DroppedBytes -> droppedBytes
      )
    )
  }
}

object ShedStateStoreProvider {

  /** Where a task tells a provider, through the Hadoop conf, the share of the join's memory that a partition has. */
  val BudgetKey = "spark.shedjoin.internal.partitionBytes"

  private val LeftRows = StateStoreCustomSumMetric("shedJoinLeftRows", "rows of the left side in the state")
  private val RightRows = StateStoreCustomSumMetric("shedJoinRightRows", "rows of the right side in the state")
  private val DeadBytes = StateStoreCustomSizeMetric("shedJoinDeadBytes", "bytes of pages that no row uses")
  private val PeakBytes = StateStoreCustomSizeMetric("shedJoinPeakBytes", "the most bytes ever in use at one moment")
  private val DroppedBytes =
    StateStoreCustomSizeMetric("shedJoinDroppedBytes", "bytes of states given up to threads that outlived their tasks")
  val CustomMetrics: Seq[StateStoreCustomMetric] = Seq(LeftRows, RightRows, DeadBytes, PeakBytes, DroppedBytes)

  private val dropped = new DroppedStates

  /** The provider of each partition in this JVM, by where its state lies. */
  private val open = new ConcurrentHashMap[String, ShedStateStoreProvider]

  private def settings(storeConf: StateStoreConf, hadoopConf: Configuration): StateSettings = StateSettings(
    budgetBytes = hadoopConf.getLong(BudgetKey, StateSettings.Unlimited),
    deltasPerSnapshot = storeConf.minDeltasForSnapshot,
    versionsToRetain = storeConf.minVersionsToRetain
  )

  /** Frees what an older run of the same checkpoint, or an unloaded provider of this one, left in this JVM. */
  private def replace(id: StateStoreId, provider: ShedStateStoreProvider): Unit = {
    val older = open.put(id.storeCheckpointLocation().toString, provider)
    if (older != null) older.versions.close()
  }

  private def forget(id: StateStoreId, provider: ShedStateStoreProvider): Unit =
    open.remove(id.storeCheckpointLocation().toString, provider)
}
