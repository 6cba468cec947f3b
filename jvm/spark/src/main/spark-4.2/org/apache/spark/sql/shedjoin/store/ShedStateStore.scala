package org.apache.spark.sql.shedjoin.store

import java.util.UUID

import shedjoin.state.{Attempt, JoinState, StateVersion}

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state.{
  KeyStateEncoderSpec,
  StateStore,
  StateStoreCheckpointInfo,
  StateStoreId,
  StateStoreIterator,
  StateStoreMetrics,
  UnsafeRowPair
}
import org.apache.spark.sql.shedjoin.ShedJoinErrors
import org.apache.spark.sql.types.StructType

/** One attempt's hold on a partition's state, from opening a version to committing the next one or aborting.
  *
  * It carries the join's state; Spark's interface of keys and values has no meaning here and is refused.
  */
final class ShedStateStore(provider: ShedStateStoreProvider, from: StateVersion) extends StateStore {

  /** The attempt, and the state, which only it may change until `commit` or `abort`. */
  val attempt: Attempt = provider.open(from)
  def state: JoinState = attempt.state

  private var committed: Option[StateVersion] = None
  private var atCommit: StateMeasure = _

  def id: StateStoreId = provider.stateStoreId
  def version: Long = from.number
  def hasCommitted: Boolean = committed.isDefined

  def commit(): Long = {
    // From the commit on another attempt may change the state.
    atCommit = StateMeasure.of(state)
    val next = provider.commit(attempt)
    committed = Some(next)
    next.number
  }

  override def abort(): Unit = attempt.abort()

  override def metrics: StateStoreMetrics = provider.metricsOf(attempt, atCommit)

  override def getStateStoreCheckpointInfo(): StateStoreCheckpointInfo = {
    def text(uid: Option[UUID]): Option[String] = uid.map(_.toString)
    val next = committed.getOrElse(throw new IllegalStateException(s"$id at version $version was not committed"))
    StateStoreCheckpointInfo(id.partitionId, next.number, text(next.uid), text(from.uid))
  }

  override def toString: String = s"ShedStateStore[$id, version $version]"

  private def refused(call: String): Nothing = throw ShedJoinErrors.notKeyValue(call)

  override def get(key: UnsafeRow, colFamilyName: String): UnsafeRow = refused("get")
  override def valuesIterator(key: UnsafeRow, colFamilyName: String): Iterator[UnsafeRow] = refused("valuesIterator")
  override def put(key: UnsafeRow, value: UnsafeRow, colFamilyName: String): Unit = refused("put")
  override def putList(key: UnsafeRow, values: Array[UnsafeRow], colFamilyName: String): Unit = refused("putList")
  override def merge(key: UnsafeRow, value: UnsafeRow, colFamilyName: String): Unit = refused("merge")
  override def mergeList(key: UnsafeRow, values: Array[UnsafeRow], colFamilyName: String): Unit = refused("mergeList")
  override def remove(key: UnsafeRow, colFamilyName: String): Unit = refused("remove")
  override def removeColFamilyIfExists(colFamilyName: String): Boolean = refused("removeColFamilyIfExists")
  override def allColumnFamilyNames: Set[String] = Set.empty

  override def createColFamilyIfAbsent(
      colFamilyName: String,
      keySchema: StructType,
      valueSchema: StructType,
      keyStateEncoderSpec: KeyStateEncoderSpec,
      useMultipleValuesPerKey: Boolean,
      isInternal: Boolean
  ): Unit = refused("createColFamilyIfAbsent")

  override def iterator(colFamilyName: String): StateStoreIterator[UnsafeRowPair] = refused("iterator")

  override def iteratorWithMultiValues(colFamilyName: String): StateStoreIterator[UnsafeRowPair] =
    refused("iteratorWithMultiValues")

  override def prefixScan(prefixKey: UnsafeRow, colFamilyName: String): StateStoreIterator[UnsafeRowPair] =
    refused("prefixScan")

  override def prefixScanWithMultiValues(
      prefixKey: UnsafeRow,
      colFamilyName: String
  ): StateStoreIterator[UnsafeRowPair] = refused("prefixScanWithMultiValues")
}
