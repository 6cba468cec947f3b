package org.apache.spark.sql.shedjoin

import shedjoin.state.StateSettings

import org.apache.spark.SparkContext
import org.apache.spark.internal.Logging
import org.apache.spark.network.util.JavaUtils

/** Whether a join's memory is enough to start with, and whether the executors can hold it. */
object ShedJoinLimits extends Logging {

  /** Refuses a memory too small; warns of one that a single executor could not hold if all partitions came to it. */
  def check(options: ShedJoinOptions, partitions: Int, context: SparkContext): Unit = options.memory.foreach { memory =>
    if (memory / partitions < StateSettings.LeastBytes)
      throw ShedJoinErrors.budgetTooSmall(memory, partitions, StateSettings.LeastBytes)
    val heap = executorHeap(context)
    if (memory > heap)
      logWarning(
        s"The memory of ${options.name.getOrElse("a ShedJoin")} is $memory bytes over $partitions partitions; an executor's " +
          s"heap is $heap bytes. If all partitions come to one executor it can not hold them."
      )
  }

  private def executorHeap(context: SparkContext): Long =
    if (context.isLocal) Runtime.getRuntime.maxMemory
    else JavaUtils.byteStringAsBytes(context.getConf.get("spark.executor.memory", "1g"))
}
