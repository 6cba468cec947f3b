package org.apache.spark.sql.shedjoin.exec

import scala.collection.mutable

import shedjoin.core.BudgetExceeded
import shedjoin.core.join.PairCondition
import shedjoin.state.JoinState

import org.apache.spark.sql.catalyst.expressions.{JoinedRow, Predicate, UnsafeRow}
import org.apache.spark.sql.shedjoin.{ShedJoinErrors, ShedJoinException}
import org.apache.spark.unsafe.Platform

/** The rows of a join's state as Spark's rows, read where they lie. */
final class StoredRows(plan: JoinPlan, state: JoinState, partition: Int) extends PairCondition {
  import StoredRows._

  private val leftRow = new UnsafeRow(plan.left.attributes.length)
  private val rightRow = new UnsafeRow(plan.right.attributes.length)
  private val pair = new JoinedRow(leftRow, rightRow)
  private val predicate = plan.pair.map(Predicate.create(_, plan.pairAttributes)).orNull
  if (predicate != null) predicate.initialize(partition)

  /** The left row at `address`, overwritten by the next call. */
  def left(address: Int): UnsafeRow = at(leftRow, address)

  /** The right row at `address`, overwritten by the next call. */
  def right(address: Int): UnsafeRow = at(rightRow, address)

  def holds(left: Int, right: Int): Boolean = predicate == null || {
    at(leftRow, left)
    at(rightRow, right)
    predicate.eval(pair)
  }

  /** Stages a copy of `row`. */
  def stage(key: UnsafeRow, row: UnsafeRow, time: Long): Unit = {
    val keyBytes = bytesOf(key)
    val rowBytes = bytesOf(row)
    state.stage(keyBytes, from(key), key.getSizeInBytes, rowBytes, from(row), row.getSizeInBytes, time)
  }

  /** The error for a full budget, with the keys that take most, rows not yet stored included. O(rows). */
  def outOfMemory(e: BudgetExceeded, partition: Int): ShedJoinException = {
    val counts = mutable.HashMap.empty[Int, Int]
    def count(key: Int): Unit = counts.updateWith(key)(n => Some(n.getOrElse(0) + 1))
    state.foreachRow(row => count(state.key(row)))
    state.foreachStagedKey(count)
    val largest =
      counts.toSeq.sortBy(-_._2).take(ShownKeys).map { case (key, count) => s"${show(key)} with $count rows" }
    ShedJoinErrors.outOfMemory(plan.naming, partition, e, largest)
  }

  private def show(entry: Int): String = {
    val schema = plan.naming.keySchema
    val key = new UnsafeRow(schema.length)
    key.pointTo(
      state.keyBytes.page(entry),
      Platform.BYTE_ARRAY_OFFSET + state.keyBytes.offset(entry).toLong,
      state.keyBytes.length(entry)
    )
    schema.indices.map(i => String.valueOf(key.get(i, schema(i).dataType))).mkString("(", ", ", ")")
  }

  private def at(row: UnsafeRow, address: Int): UnsafeRow = {
    row.pointTo(state.page(address), Platform.BYTE_ARRAY_OFFSET + state.offset(address).toLong, state.length(address))
    row
  }

  /** The array that holds the row's bytes: its own in all rows that come from a shuffle. */
  private def bytesOf(row: UnsafeRow): Array[Byte] = row.getBaseObject match {
    case bytes: Array[Byte] => bytes
    case _ => row.getBytes
  }

  private def from(row: UnsafeRow): Int = row.getBaseObject match {
    case _: Array[Byte] => (row.getBaseOffset - Platform.BYTE_ARRAY_OFFSET).toInt
    case _ => 0
  }
}

object StoredRows {
  private val ShownKeys = 5
}
