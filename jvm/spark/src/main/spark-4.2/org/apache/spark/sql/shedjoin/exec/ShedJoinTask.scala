package org.apache.spark.sql.shedjoin.exec

import org.apache.hadoop.conf.Configuration
import shedjoin.core.BudgetExceeded

import org.apache.spark.TaskContext
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.execution.streaming.operators.stateful.StatefulOperatorStateInfo
import org.apache.spark.sql.execution.streaming.state.{
  NoPrefixKeyStateEncoderSpec,
  StateStore,
  StateStoreConf,
  StateStoreId,
  StateStoreProviderId
}
import org.apache.spark.sql.shedjoin.ShedJoinErrors
import org.apache.spark.sql.shedjoin.store.{ShedStateStore, ShedStateStoreProvider}
import org.apache.spark.sql.types.StructType
import org.apache.spark.util.SerializableConfiguration

/** The join of one partition in one batch, as it is sent to an executor. */
final class ShedJoinTask(
    plan: JoinPlan,
    stateInfo: StatefulOperatorStateInfo,
    storeConf: StateStoreConf,
    hadoopConf: Broadcast[SerializableConfiguration],
    partitionBytes: Option[Long],
    metrics: JoinMetrics
) extends Serializable {

  def run(partition: Int, left: Iterator[InternalRow], right: Iterator[InternalRow]): Iterator[InternalRow] = {
    val store =
      try open(partition)
      catch {
        case e: BudgetExceeded => throw ShedJoinErrors.storedStateTooLarge(plan.naming, partition, e)
      }
    Option(TaskContext.get()).foreach(_.addTaskCompletionListener[Unit](_ => store.abort()))
    new JoinIterator(plan, store, Array(left, right), partition, metrics)
  }

  private def open(partition: Int): ShedStateStore = {
    val schema = plan.naming.keySchema
    val opened = StateStore.get(
      StateStoreProviderId(stateInfo, partition, StateStoreId.DEFAULT_STORE_NAME),
      schema,
      ShedJoinTask.NoValues,
      NoPrefixKeyStateEncoderSpec(schema),
      stateInfo.storeVersion,
      stateInfo.getStateStoreCkptId(partition).map(_.head),
      stateSchemaBroadcast = None,
      useColumnFamilies = false,
      storeConf,
      ownConf
    )
    opened.asInstanceOf[ShedStateStore]
  }

  /** A conf of this task's own: the store writes the run's id into it, and two queries may share the broadcast one. */
  private def ownConf: Configuration = {
    val own = new Configuration(hadoopConf.value.value)
    partitionBytes.foreach(own.setLong(ShedStateStoreProvider.BudgetKey, _))
    own
  }
}

object ShedJoinTask {
  private val NoValues = new StructType
}
