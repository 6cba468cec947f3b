package org.apache.spark.sql.shedjoin.store

import shedjoin.state.JoinState

/** How much a state holds at one moment. */
final case class StateMeasure(leftRows: Long, rightRows: Long, usedBytes: Long, deadBytes: Long, peakBytes: Long)

object StateMeasure {

  /** Measures a state that nobody else may change meanwhile. O(1). */
  def of(state: JoinState): StateMeasure =
    StateMeasure(state.size(0), state.size(1), state.budget.usedBytes, state.deadBytes, state.budget.peakBytes)
}
