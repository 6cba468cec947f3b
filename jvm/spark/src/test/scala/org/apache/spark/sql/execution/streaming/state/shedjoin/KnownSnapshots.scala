package org.apache.spark.sql.execution.streaming.state.shedjoin

import java.util.UUID

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.streaming.state.{StateStoreId, StateStoreProviderId}

/** What Spark's coordinator of state stores knows of snapshots; here for what Spark keeps private. */
object KnownSnapshots {

  /** The youngest snapshot of a partition of the first operator, as it was reported in that run of the query. */
  def latest(session: SparkSession, checkpoint: String, partition: Int, runId: UUID): Option[Long] = {
    val store = StateStoreProviderId(StateStoreId(s"$checkpoint/state", 0, partition), runId)
    session.sessionState.streamingQueryManager.stateStoreCoordinator.getLatestSnapshotVersionForTesting(store)
  }
}
