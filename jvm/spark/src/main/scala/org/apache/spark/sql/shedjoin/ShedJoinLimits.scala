package org.apache.spark.sql.shedjoin

import shedjoin.state.StateSettings

import org.apache.spark.SparkContext
import org.apache.spark.internal.Logging
import org.apache.spark.network.util.JavaUtils
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.shedjoin.conf.{AskedBy, ShedJoinConf, ShedJoinOptions, ShedJoinRegistry}

/** Whether a join's memory is enough to start with, and whether the executors can hold it. */
object ShedJoinLimits extends Logging {

  /** Refuses a memory too small; warns of one that a single executor may not hold if all partitions come to it. */
  def check(options: ShedJoinOptions, partitions: Int, context: SparkContext): Unit = options.memory.foreach { memory =>
    if (memory / partitions < StateSettings.LeastBytes)
      throw ShedJoinErrors.budgetTooSmall(memory, partitions, StateSettings.LeastBytes)
    warning(memory, context).foreach(text => logWarning(s"${options.name.fold("A ShedJoin")("The join " + _)}: $text"))
  }

  /** What is to be said of the memory that a session gives its joins. */
  def warning(spark: SparkSession): Option[String] =
    ShedJoinConf
      .settings(spark.sessionState.conf)
      .get(ShedJoinRegistry.memory.name)
      .flatMap(text => warning(ShedJoinRegistry.memory.parse(text, AskedBy.Conf), spark.sparkContext))

  /** The part of a heap that the states of joins may take: Spark and the collector need the rest, as measured in
    * docs/operations.md.
    */
  private def safeBytes(heapBytes: Long): Long = heapBytes / 3

  /** The same where no row is longer than 512 KiB. Longer ones leave up to half of the regions unused that G1 gives them. */
  private def safeForShortRows(heapBytes: Long): Long = heapBytes / 3 * 2

  private def warning(memory: Long, context: SparkContext): Option[String] = {
    val heap = if (context.isLocal) Runtime.getRuntime.maxMemory else executorHeap(context)
    val setting = if (context.isLocal) "spark.driver.memory" else "spark.executor.memory"
    Option.when(memory > safeBytes(heap))(
      s"the option memory is $memory bytes; of the heap of $heap bytes that $setting gives, ${safeBytes(heap)} bytes are " +
        s"safe whatever the rows, and ${safeForShortRows(heap)} bytes where none is longer than 512 KiB. With more, an " +
        "executor to which all partitions come may end in an OutOfMemoryError of its JVM. " +
        s"Lower memory to what is safe for your rows, or raise $setting to as much more."
    )
  }

  private def executorHeap(context: SparkContext): Long =
    JavaUtils.byteStringAsBytes(context.getConf.get("spark.executor.memory", "1g"))
}
