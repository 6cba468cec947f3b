package org.apache.spark.sql.shedjoin.exec

import shedjoin.state.KeyInRow

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression, UnsafeRow}
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.Platform

/** Copies columns of a row into a key, to the bytes that Spark's projection would write, without a class compiled for the
  * query (see [[RowJoiner]]).
  *
  * @param columns
  *   the places of the key's columns in the row
  * @param widths
  *   the bytes of each, 0 for texts and bytes of any length
  */
final class KeyCopier private (columns: Array[Int], widths: Array[Int]) {
  import KeyCopier._

  private val maskBytes = UnsafeRow.calculateBitSetWidthInBytes(columns.length)
  private val fixedBytes = maskBytes + 8 * columns.length
  private val key = new UnsafeRow(columns.length)
  private var bytes = new Array[Byte](fixedBytes)

  /** The key of `row`, overwritten by the next call. O(length). */
  def of(row: UnsafeRow): UnsafeRow = {
    var word = 0
    while (word < maskBytes) {
      Platform.putLong(bytes, Start + word, 0)
      word += 8
    }
    var end = fixedBytes
    var i = 0
    while (i < columns.length) {
      val column = columns(i)
      val at = Start + maskBytes + 8 * i
      if (row.isNullAt(column)) {
        Platform.putLong(bytes, at, 0)
        bytes(i >> 3) = (bytes(i >> 3) | 1 << (i & 7)).toByte
      } else if (widths(i) == 0) end = copy(row, row.getLong(column), i, end)
      else Platform.putLong(bytes, at, row.getLong(column) & (-1L >>> (64 - 8 * widths(i))))
      i += 1
    }
    key.pointTo(bytes, Start, end)
    key
  }

  /** Appends what `place` says where it lies in the row, and returns the new end. */
  private def copy(row: UnsafeRow, place: Long, field: Int, end: Int): Int = {
    val length = place.toInt
    val padded = (length + 7) & -8
    if (bytes.length < end + padded) bytes = java.util.Arrays.copyOf(bytes, math.max(end + padded, 2 * bytes.length))
    if (padded > length) Platform.putLong(bytes, Start + end + padded - 8, 0)
    Platform.copyMemory(row.getBaseObject, row.getBaseOffset + (place >>> 32), bytes, Start + end, length.toLong)
    Platform.putLong(bytes, Start + maskBytes + 8L * field, end.toLong << 32 | length)
    end + padded
  }
}

object KeyCopier {
  private val Start = Platform.BYTE_ARRAY_OFFSET.toLong
  private val isLittleEndian = java.nio.ByteOrder.nativeOrder == java.nio.ByteOrder.LITTLE_ENDIAN

  /** The copier of these keys, if they are columns whose bytes can be copied. */
  def of(keys: Seq[Expression], attributes: Seq[Attribute]): Option[KeyCopier] = {
    val columns = keys.map(key => attributes.indexWhere(_.semanticEquals(key)))
    val widths = keys.map(key => widthOf(key.dataType))
    Option.when(isLittleEndian && columns.forall(_ >= 0) && widths.forall(_.isDefined))(
      new KeyCopier(columns.toArray, widths.flatten.toArray)
    )
  }

  /** Where the keys of rows of these columns stand in them, if they are columns of whole words: a row with a null in one of
    * them has a key of its own.
    */
  def inRow(keys: Seq[Expression], attributes: Seq[Attribute]): KeyInRow =
    if (keys.isEmpty || of(keys, attributes).isEmpty || !keys.forall(key => widthOf(key.dataType).contains(8)))
      KeyInRow.Unknown
    else {
      val columns = keys.map(key => attributes.indexWhere(_.semanticEquals(key))).toVector
      val maskBytes = UnsafeRow.calculateBitSetWidthInBytes(attributes.length)
      KeyInRow(UnsafeRow.calculateBitSetWidthInBytes(keys.length), columns.map(maskBytes + 8 * _), columns)
    }

  private def widthOf(dataType: DataType): Option[Int] = dataType match {
    case BooleanType | ByteType => Some(1)
    case ShortType => Some(2)
    case IntegerType | DateType => Some(4)
    case LongType | TimestampType | TimestampNTZType => Some(8)
    case BinaryType => Some(0)
    case text: StringType if text.supportsBinaryEquality => Some(0)
    case _ => None
  }
}
