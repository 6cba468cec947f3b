package org.apache.spark.sql.shedjoin.recovery

import java.util.concurrent.atomic.AtomicInteger

import org.apache.spark.TaskContext
import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.execution.streaming.runtime.MicroBatchExecution
import org.apache.spark.sql.functions.{col, udf}

/** What befalls the first attempt of one task of a query, in the middle of its rows. */
object Trouble {
  private val Batch = 6
  private val Partition = 1
  private val Row = 3
  private val SlowMs = 60_000L

  /** By name: what happens then. */
  private val Kinds: Map[String, () => Unit] = Map(
    "task fails" -> (() => throw new IllegalStateException("the task was to fail")),
    "task is slow" -> (() => Thread.sleep(SlowMs)),
    "executor is killed" -> { () =>
      new ProcessBuilder("kill", "-9", ProcessHandle.current.pid.toString).start().waitFor()
      Thread.sleep(SlowMs)
    }
  )

  private val rows = new AtomicInteger

  /** The rows of `joined`, out of the same tasks, with trouble of that kind. */
  def in(joined: DataFrame, kind: String): DataFrame = {
    val watched = udf { (id: Long) =>
      come(kind)
      id
    }.asNondeterministic()
    joined.select(col("lk"), watched(col("lid")).as("lid"), col("rid"))
  }

  private def come(kind: String): Unit = {
    val task = TaskContext.get()
    val here =
      task.getLocalProperty(MicroBatchExecution.BATCH_ID_KEY) == Batch.toString && task.partitionId() == Partition
    val first = task.attemptNumber() == 0 && task.stageAttemptNumber() == 0
    if (here && first && rows.incrementAndGet() == Row) Kinds(kind)()
  }
}
