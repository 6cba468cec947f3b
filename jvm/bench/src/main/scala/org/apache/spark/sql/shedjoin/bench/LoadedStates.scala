package org.apache.spark.sql.shedjoin.bench

import org.apache.spark.sql.execution.streaming.state.StateStore

/** The states that this JVM holds; Spark's maintenance would let those of stopped queries go only after a while. */
object LoadedStates {
  def unload(): Unit = StateStore.unloadAll()
}
