package org.apache.spark.sql.shedjoin.exec

import java.util.concurrent.TimeUnit.NANOSECONDS

import shedjoin.core.BudgetExceeded
import shedjoin.core.join.{Incoming, JoinKind, MicroBatch, RowSource, RowStore, Side, SideBySide}
import shedjoin.state.KeysInRows

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{
  BoundReference,
  GenericInternalRow,
  InterpretedUnsafeProjection,
  UnsafeRow
}
import org.apache.spark.sql.shedjoin.store.ShedStateStore
import org.apache.spark.sql.types.StructType

/** One micro-batch of one partition, pulled by whoever consumes it; when the last row was taken, the batch is committed.
  *
  * An output row is made when it is taken and overwritten by the next; a left semi join gives the stored row where it
  * lies.
  */
final class JoinIterator(
    plan: JoinPlan,
    store: ShedStateStore,
    inputs: Array[Iterator[InternalRow]],
    partition: Int,
    metrics: JoinMetrics
) extends Iterator[InternalRow]
    with RowSource {
  import JoinIterator._

  private val attempt = store.attempt
  private val state = store.state
  state.keysInRows = KeysInRows(plan.left.keyInRow, plan.right.keyInRow)
  private val rows = new StoredRows(plan, state, partition)
  private val batch = new MicroBatch(state, new SideBySide(state, plan.shape.kind, this), plan.shape, rows)
  private val readers = Array(plan.left.reader(partition), plan.right.reader(partition))
  private val schemas = Array(plan.left, plan.right).map(_.schema)
  private val nulls = schemas.map(nullRow)
  private val joiner = new RowJoiner(schemas(Side.Left), schemas(Side.Right))
  private val isSemi = plan.shape.kind == JoinKind.LeftSemi

  /** What `batch` stands at waits to be taken. */
  private var isReady = false
  private var isExpiring = false
  private var isFinished = false

  /** The latest row that can match nothing. */
  private var alone: UnsafeRow = _
  private var lateRows = 0L
  private val startedNs = System.nanoTime
  private var expiryNs = 0L

  def hasNext: Boolean = {
    if (!isReady && !isFinished) {
      attempt.requireOpen()
      advance()
    }
    isReady
  }

  def next(): InternalRow = {
    if (!hasNext) throw new NoSuchElementException("the batch is over")
    attempt.requireOpen()
    isReady = false
    metrics.outputRows += 1
    if (isSemi) rows.left(batch.left)
    else joiner.join(rowAt(Side.Left, batch.left), rowAt(Side.Right, batch.right))
  }

  private def advance(): Unit =
    try {
      isReady = batch.next()
      if (!isReady && !isExpiring) {
        isExpiring = true
        expiryNs = System.nanoTime
        batch.expire()
        isReady = batch.next()
      }
      if (!isReady) finish()
    } catch {
      case e: BudgetExceeded => throw rows.outOfMemory(e, partition)
    }

  def stage(side: Int): Boolean = {
    val input = inputs(side)
    val reader = readers(side)
    while (input.hasNext) {
      val row = input.next().asInstanceOf[UnsafeRow]
      if (reader.isLate(row)) lateRows += 1
      else if (reader.canMatch(row)) {
        val key = reader.key(row)
        rows.stage(key, row, reader.timeOf(row))
      } else {
        alone = row
        return true
      }
    }
    false
  }

  private def rowAt(side: Int, address: Int): UnsafeRow =
    if (address == RowStore.NoAddress) nulls(side)
    else if (address == Incoming.Outside) alone
    else if (side == Side.Left) rows.left(address)
    else rows.right(address)

  private def finish(): Unit = {
    isFinished = true
    metrics.updateMs += NANOSECONDS.toMillis(expiryNs - startedNs)
    metrics.removalMs += NANOSECONDS.toMillis(System.nanoTime - expiryNs)
    val commitNs = System.nanoTime
    store.commit()
    metrics.commitMs += NANOSECONDS.toMillis(System.nanoTime - commitNs)
    metrics.atCommit.report(store)
    if (attempt.reportsRows) reportRows()
  }

  private def reportRows(): Unit = {
    metrics.lateRows += lateRows
    metrics.updatedRows += batch.stored
    metrics.removedRows += batch.removed
    metrics.candidates += batch.candidatesSeen
  }
}

object JoinIterator {

  private def nullRow(schema: StructType): UnsafeRow =
    InterpretedUnsafeProjection.createProjection(bound(schema))(new GenericInternalRow(schema.length))

  private def bound(schema: StructType): Seq[BoundReference] =
    schema.indices.map(i => BoundReference(i, schema(i).dataType, nullable = true))
}
