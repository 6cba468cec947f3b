package org.apache.spark.sql.shedjoin

import java.util.concurrent.TimeUnit.NANOSECONDS

import shedjoin.core.BudgetExceeded
import shedjoin.core.join.{JoinKind, JoinStep, Side}

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.codegen.GenerateUnsafeRowJoiner
import org.apache.spark.sql.catalyst.expressions.{GenericInternalRow, UnsafeProjection, UnsafeRow}

/** One micro-batch of one partition, pulled by whoever consumes it: stage a side, probe and store it, then the other
  * side, then let the expired go and commit.
  *
  * The output row is overwritten by the next one; a left semi join gives the stored row where it lies. The commit happens
  * when the last row was taken.
  */
final class JoinIterator(
    plan: JoinPlan,
    store: ShedStateStore,
    inputs: Array[Iterator[InternalRow]],
    partition: Int,
    metrics: JoinMetrics
) extends Iterator[InternalRow] {
  import JoinIterator._

  private val state = store.state
  private val rows = new StoredRows(plan, state, partition)
  private val step = new JoinStep(state, plan.shape, rows)
  private val readers = Array(plan.left.reader(partition), plan.right.reader(partition))
  private val schemas = Array(plan.left, plan.right).map(_.schema)
  private val nulls = schemas.map(schema => UnsafeProjection.create(schema)(new GenericInternalRow(schema.length)))
  private val joiner = GenerateUnsafeRowJoiner.create(schemas(Side.Left), schemas(Side.Right))
  private val isSemi = plan.shape.kind == JoinKind.LeftSemi

  private val order = plan.order.toArray
  private var phase = 0
  private var opened = false
  private var ready: UnsafeRow = _
  private var finished = false
  private val startedNs = System.nanoTime
  private var expiryNs = 0L

  def hasNext: Boolean = {
    if (ready == null && !finished) advance()
    ready != null
  }

  def next(): InternalRow = {
    if (!hasNext) throw new NoSuchElementException("the batch is over")
    val row = ready
    ready = null
    metrics.outputRows += 1
    row
  }

  private def advance(): Unit =
    try {
      while (ready == null && phase < Phases) {
        ready =
          if (phase >= ExpiryPhase) expire()
          else if (phase % 2 == 0) stage(order(phase / 2))
          else probe(order(phase / 2))
        if (ready == null) {
          phase += 1
          opened = false
        }
      }
      if (ready == null) finish()
    } catch {
      case e: BudgetExceeded => throw rows.outOfMemory(e, partition)
    }

  /** Takes rows of a side in, up to one that can match nothing and comes out at once, or to the end. */
  private def stage(side: Int): UnsafeRow = {
    val input = inputs(side)
    val reader = readers(side)
    val keeps = plan.shape.kind.keeps(side)
    while (input.hasNext) {
      val row = input.next().asInstanceOf[UnsafeRow]
      if (reader.isLate(row)) metrics.lateRows += 1
      else if (reader.canMatch(row)) {
        val key = reader.key(row)
        rows.stage(key, row, reader.timeOf(row))
      } else if (keeps) return beside(side, row)
    }
    null
  }

  private def probe(side: Int): UnsafeRow = {
    if (!opened) step.probe(side)
    opened = true
    result()
  }

  private def expire(): UnsafeRow = {
    if (!opened) {
      if (expiryNs == 0) expiryNs = System.nanoTime
      step.expire(phase - ExpiryPhase)
    }
    opened = true
    result()
  }

  private def result(): UnsafeRow =
    if (!step.next()) null
    else if (isSemi) rows.left(step.left)
    else if (step.left == NoAddress) joiner.join(nulls(Side.Left), rows.right(step.right))
    else if (step.right == NoAddress) joiner.join(rows.left(step.left), nulls(Side.Right))
    else joiner.join(rows.left(step.left), rows.right(step.right))

  private def beside(side: Int, row: UnsafeRow): UnsafeRow =
    if (side == Side.Left) joiner.join(row, nulls(Side.Right)) else joiner.join(nulls(Side.Left), row)

  private def finish(): Unit = {
    finished = true
    metrics.updateMs += NANOSECONDS.toMillis(expiryNs - startedNs)
    metrics.removalMs += NANOSECONDS.toMillis(System.nanoTime - expiryNs)
    val commitNs = System.nanoTime
    store.commit()
    metrics.commitMs += NANOSECONDS.toMillis(System.nanoTime - commitNs)
    metrics.updatedRows += step.stored
    metrics.removedRows += step.removed
    metrics.candidates += step.candidatesSeen
    metrics.atCommit.report(store)
  }
}

object JoinIterator {
  private val NoAddress = shedjoin.core.join.JoinStore.NoAddress
  private val ExpiryPhase = 4
  private val Phases = 6
}
