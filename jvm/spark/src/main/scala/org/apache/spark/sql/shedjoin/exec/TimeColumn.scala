package org.apache.spark.sql.shedjoin.exec

import shedjoin.core.join.JoinShape

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression, NamedExpression, UnsafeRow}
import org.apache.spark.sql.catalyst.plans.logical.EventTimeWatermark.delayKey
import org.apache.spark.sql.types.{DataType, StructType}
import org.apache.spark.unsafe.Platform
import org.apache.spark.unsafe.bitset.BitSetMethods

/** Where a side's event time stands: in its join key, in its row, or nowhere; for windows it is their end. */
sealed trait TimeColumn {

  /** The event time in microseconds, or `JoinShape.NoTime`. */
  def read(key: UnsafeRow, row: UnsafeRow): Long
}

object TimeColumn {

  case object Absent extends TimeColumn {
    def read(key: UnsafeRow, row: UnsafeRow): Long = JoinShape.NoTime
  }

  final case class InKey(ordinal: Int, windowFields: Int) extends TimeColumn {
    def read(key: UnsafeRow, row: UnsafeRow): Long = timeAt(key, ordinal, windowFields)
  }

  final case class InRow(ordinal: Int, windowFields: Int) extends TimeColumn {
    def read(key: UnsafeRow, row: UnsafeRow): Long = timeAt(row, ordinal, windowFields)
  }

  /** The place among the join keys of the one with a watermark, the left side's first, as Spark finds it. */
  def watermarkedKey(leftKeys: Seq[Expression], rightKeys: Seq[Expression]): Option[Int] = {
    def find(keys: Seq[Expression]): Option[Int] = keys.zipWithIndex.collectFirst {
      case (key: NamedExpression, place) if key.metadata.contains(delayKey) => place
    }
    find(leftKeys).orElse(find(rightKeys))
  }

  /** Where the event time stands for a side with these keys and columns. */
  def of(keys: Seq[Expression], keyPlace: Option[Int], attributes: Seq[Attribute]): TimeColumn = keyPlace match {
    case Some(place) => InKey(place, windowFields(keys(place).dataType))
    case None =>
      attributes.indexWhere(_.metadata.contains(delayKey)) match {
        case -1 => Absent
        case place => InRow(place, windowFields(attributes(place).dataType))
      }
  }

  /** Where the event time stands in a row of these columns, of which it is one. */
  def inRow(eventTime: Attribute, attributes: Seq[Attribute]): TimeColumn =
    InRow(attributes.indexWhere(_.exprId == eventTime.exprId), windowFields(eventTime.dataType))

  private def windowFields(dataType: DataType): Int = dataType match {
    case window: StructType => window.length
    case _ => 0
  }

  private val WindowEnd = 1

  private def timeAt(row: UnsafeRow, ordinal: Int, windowFields: Int): Long =
    if (row.isNullAt(ordinal)) JoinShape.NoTime
    else if (windowFields == 0) row.getLong(ordinal)
    else windowEnd(row.getBaseObject, row.getBaseOffset + (row.getLong(ordinal) >>> 32), windowFields)

  /** Reads the end of a window in place: a struct lies in a row as a row does. */
  private def windowEnd(base: Object, offset: Long, windowFields: Int): Long =
    if (BitSetMethods.isSet(base, offset, WindowEnd)) JoinShape.NoTime
    else Platform.getLong(base, offset + UnsafeRow.calculateBitSetWidthInBytes(windowFields) + 8L * WindowEnd)
}
