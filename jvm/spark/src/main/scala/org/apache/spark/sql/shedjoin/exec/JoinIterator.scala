package org.apache.spark.sql.shedjoin.exec

import java.util.concurrent.TimeUnit.NANOSECONDS

import shedjoin.core.BudgetExceeded
import shedjoin.core.join.{JoinKind, JoinStep, Side}
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

/** One micro-batch of one partition, pulled by whoever consumes it: stage a side, probe and store it, then the other
  * side, then let the expired go and commit.
  *
  * An output row is made when it is taken and overwritten by the next; a left semi join gives the stored row where it
  * lies. The commit happens when the last row was taken.
  */
final class JoinIterator(
    plan: JoinPlan,
    store: ShedStateStore,
    inputs: Array[Iterator[InternalRow]],
    partition: Int,
    metrics: JoinMetrics
) extends Iterator[InternalRow] {
  import JoinIterator._

  private val attempt = store.attempt
  private val state = store.state
  state.keysInRows = KeysInRows(plan.left.keyInRow, plan.right.keyInRow)
  private val rows = new StoredRows(plan, state, partition)
  private val step = new JoinStep(state, plan.shape, rows)
  private val readers = Array(plan.left.reader(partition), plan.right.reader(partition))
  private val schemas = Array(plan.left, plan.right).map(_.schema)
  private val nulls = schemas.map(nullRow)
  private val joiner = new RowJoiner(schemas(Side.Left), schemas(Side.Right))
  private val isSemi = plan.shape.kind == JoinKind.LeftSemi

  private val order = plan.order.toArray
  private var phase = 0
  private var opened = false

  /** A row of `loneSide` that matches nothing, or else what `step` stands at, waits to be taken. */
  private var isReady = false
  private var lone: UnsafeRow = _
  private var loneSide = Side.Left
  private var finished = false
  private var lateRows = 0L
  private val startedNs = System.nanoTime
  private var expiryNs = 0L

  def hasNext: Boolean = {
    if (!isReady && !finished) {
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
    if (lone == null) joined() else takeLone()
  }

  private def advance(): Unit =
    try {
      while (!isReady && phase < Phases) {
        isReady =
          if (phase >= ExpiryPhase) expire()
          else if (phase % 2 == 0) stage(order(phase / 2))
          else probe(order(phase / 2))
        if (!isReady) {
          phase += 1
          opened = false
        }
      }
      if (!isReady) finish()
    } catch {
      case e: BudgetExceeded => throw rows.outOfMemory(e, partition)
    }

  /** Takes rows of a side in, up to one that can match nothing and comes out at once, or to the end. */
  private def stage(side: Int): Boolean = {
    val input = inputs(side)
    val reader = readers(side)
    val keeps = plan.shape.kind.keeps(side)
    while (input.hasNext) {
      val row = input.next().asInstanceOf[UnsafeRow]
      if (reader.isLate(row)) lateRows += 1
      else if (reader.canMatch(row)) {
        val key = reader.key(row)
        rows.stage(key, row, reader.timeOf(row))
      } else if (keeps) {
        lone = row
        loneSide = side
        return true
      }
    }
    false
  }

  private def probe(side: Int): Boolean = {
    if (!opened) step.probe(side)
    opened = true
    step.next()
  }

  private def expire(): Boolean = {
    if (!opened) {
      if (expiryNs == 0) expiryNs = System.nanoTime
      step.expire(phase - ExpiryPhase)
    }
    opened = true
    step.next()
  }

  private def joined(): UnsafeRow =
    if (isSemi) rows.left(step.left)
    else if (step.left == NoAddress) joiner.join(nulls(Side.Left), rows.right(step.right))
    else if (step.right == NoAddress) joiner.join(rows.left(step.left), nulls(Side.Right))
    else joiner.join(rows.left(step.left), rows.right(step.right))

  private def takeLone(): UnsafeRow = {
    val row = lone
    lone = null
    if (loneSide == Side.Left) joiner.join(row, nulls(Side.Right)) else joiner.join(nulls(Side.Left), row)
  }

  private def finish(): Unit = {
    finished = true
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
    metrics.updatedRows += step.stored
    metrics.removedRows += step.removed
    metrics.candidates += step.candidatesSeen
  }
}

object JoinIterator {
  private val NoAddress = shedjoin.core.join.JoinStore.NoAddress
  private val ExpiryPhase = 4
  private val Phases = 6

  private def nullRow(schema: StructType): UnsafeRow =
    InterpretedUnsafeProjection.createProjection(bound(schema))(new GenericInternalRow(schema.length))

  private def bound(schema: StructType): Seq[BoundReference] =
    schema.indices.map(i => BoundReference(i, schema(i).dataType, nullable = true))
}
