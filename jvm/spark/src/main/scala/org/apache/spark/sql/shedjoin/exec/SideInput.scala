package org.apache.spark.sql.shedjoin.exec

import shedjoin.core.join.JoinShape
import shedjoin.state.KeyInRow

import org.apache.spark.sql.catalyst.expressions.{
  Attribute,
  Expression,
  Literal,
  Predicate,
  UnsafeProjection,
  UnsafeRow
}
import org.apache.spark.sql.catalyst.types.DataTypeUtils
import org.apache.spark.sql.types.StructType

/** How one side of a join is read, as the driver plans it.
  *
  * @param late     which rows are too late
  * @param condition the part of the join's condition that needs this side alone
  * @param time     where the side's event time stands
  */
final case class SideInput(
    attributes: Seq[Attribute],
    keys: Seq[Expression],
    late: Option[LateRows],
    condition: Option[Expression],
    time: TimeColumn
) {
  def schema: StructType = DataTypeUtils.fromAttributes(attributes)

  /** Where the keys of this side's rows stand in them. */
  def keyInRow: KeyInRow = KeyCopier.inRow(keys, attributes)

  /** The reader of a task; one row at a time. */
  def reader(partition: Int): SideReader = new SideReader(this, partition)
}

/** The rows whose event time is at most `bound`. Read in place: a predicate would hold the bound as a constant and so be
  * compiled anew in each batch.
  */
final case class LateRows(time: TimeColumn, bound: Long)

/** Reads one side's rows: drops the late, finds key and event time. */
final class SideReader(input: SideInput, partition: Int) {
  private val copier = KeyCopier.of(input.keys, input.attributes).orNull
  private val projection = if (copier == null) UnsafeProjection.create(input.keys, input.attributes) else null
  private val lateTime = input.late.fold[TimeColumn](TimeColumn.Absent)(_.time)
  private val lateBound = input.late.fold(JoinShape.NoBound)(_.bound)
  private val condition = input.condition.map(predicate)
  private val time = input.time
  private var lastKey: UnsafeRow = _

  def isLate(row: UnsafeRow): Boolean = lateTime.read(lastKey, row) <= lateBound

  /** Whether the row can match anything at all. */
  def canMatch(row: UnsafeRow): Boolean = condition.isEmpty || condition.get.eval(row)

  /** The row's join key, overwritten by the next call. */
  def key(row: UnsafeRow): UnsafeRow = {
    lastKey = if (copier != null) copier.of(row) else projection(row)
    lastKey
  }

  /** The event time of the row whose key was asked for last, in microseconds. */
  def timeOf(row: UnsafeRow): Long = time.read(lastKey, row)

  private def predicate(expression: Expression) = {
    val made = Predicate.create(expression, input.attributes)
    made.initialize(partition)
    made
  }
}

object SideInput {

  /** The part of a condition that needs both sides, or `None` when there is none. */
  def pairPredicate(condition: Option[Expression]): Option[Expression] = condition.filter {
    case Literal(true, _) => false
    case _ => true
  }
}
