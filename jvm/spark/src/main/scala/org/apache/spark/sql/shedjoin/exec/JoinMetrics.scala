package org.apache.spark.sql.shedjoin.exec

import org.apache.spark.sql.execution.metric.SQLMetric
import org.apache.spark.sql.shedjoin.store.CommitMetrics

/** Where a task adds what it did. */
final case class JoinMetrics(
    outputRows: SQLMetric,
    lateRows: SQLMetric,
    updatedRows: SQLMetric,
    removedRows: SQLMetric,
    candidates: SQLMetric,
    updateMs: SQLMetric,
    removalMs: SQLMetric,
    commitMs: SQLMetric,
    atCommit: CommitMetrics
)
