package org.apache.spark.sql.shedjoin.store

import org.apache.spark.sql.execution.metric.SQLMetric
import org.apache.spark.sql.execution.streaming.operators.stateful.StatefulOpStateStoreCheckpointInfo
import org.apache.spark.util.CollectionAccumulator

/** Where a task reports its partition's state once it is committed; `checkpointInfo` under checkpoint format 2 only. */
final case class CommitMetrics(
    totalRows: SQLMetric,
    memoryBytes: SQLMetric,
    stores: SQLMetric,
    custom: Map[String, SQLMetric],
    checkpointInfo: Option[CollectionAccumulator[StatefulOpStateStoreCheckpointInfo]]
) {

  def report(store: ShedStateStore): Unit = {
    val state = store.metrics
    totalRows += state.numKeys
    memoryBytes += state.memoryUsedBytes
    state.customMetrics.foreach { case (metric, value) => custom(metric.name) += value }
    if (store.attempt.reportsRows) reportStore(store)
  }

  private def reportStore(store: ShedStateStore): Unit = {
    stores += 1
    checkpointInfo.foreach { reported =>
      val info = store.getStateStoreCheckpointInfo()
      reported.add(
        StatefulOpStateStoreCheckpointInfo(
          info.partitionId,
          info.batchVersion,
          info.stateStoreCkptId.map(Array(_)),
          info.baseStateStoreCkptId.map(Array(_))
        )
      )
    }
  }
}
