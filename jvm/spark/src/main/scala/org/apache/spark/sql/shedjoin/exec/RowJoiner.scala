package org.apache.spark.sql.shedjoin.exec

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.types.StructType
import org.apache.spark.unsafe.Platform

/** Puts two rows side by side into a row of its own, by words.
  *
  * Spark's `GenerateUnsafeRowJoiner` does the same with a class that it compiles anew for each query, and the JVM after
  * it.
  */
final class RowJoiner(left: StructType, right: StructType) {
  import RowJoiner._

  private val fields = left.length + right.length
  private val maskWords = wordsOf(fields)
  private val leftMaskWords = wordsOf(left.length)
  private val rightMaskWords = wordsOf(right.length)
  private val leftFixed = left.length * 8L
  private val rightFixed = right.length * 8L
  private val leftShift = left.length & 63
  private val leftVariable = variableFields(left)
  private val rightVariable = variableFields(right)

  private val joined = new UnsafeRow(fields)
  private var bytes = new Array[Byte](0)

  /** The joined row, overwritten by the next call. O(length). */
  def join(leftRow: UnsafeRow, rightRow: UnsafeRow): UnsafeRow = {
    val leftBytes = leftRow.getSizeInBytes - leftMaskWords * 8L
    val rightBytes = rightRow.getSizeInBytes - rightMaskWords * 8L
    val size = maskWords * 8 + (leftBytes + rightBytes).toInt
    if (bytes.length < size) bytes = new Array[Byte](math.max(size, 2 * bytes.length))
    joinMasks(leftRow, rightRow)
    val fixed = Start + maskWords * 8L
    val variable = fixed + leftFixed + rightFixed
    val leftFrom = leftRow.getBaseOffset + leftMaskWords * 8L
    val rightFrom = rightRow.getBaseOffset + rightMaskWords * 8L
    val leftEnd = variable + leftBytes - leftFixed
    copy(leftRow.getBaseObject, leftFrom, fixed, leftFixed)
    copy(rightRow.getBaseObject, rightFrom, fixed + leftFixed, rightFixed)
    copy(leftRow.getBaseObject, leftFrom + leftFixed, variable, leftBytes - leftFixed)
    copy(rightRow.getBaseObject, rightFrom + rightFixed, leftEnd, rightBytes - rightFixed)
    move(leftVariable, fixed, (maskWords - leftMaskWords) * 8L + rightFixed)
    move(rightVariable, fixed + leftFixed, (maskWords - rightMaskWords) * 8L + leftEnd - variable + leftFixed)
    joined.pointTo(bytes, Start, size)
    joined
  }

  private def joinMasks(leftRow: UnsafeRow, rightRow: UnsafeRow): Unit = {
    var word = 0
    while (word < maskWords) {
      var mask = if (word < leftMaskWords) maskOf(leftRow, word) else 0L
      val place = word - left.length / 64
      if (place >= 0 && place < rightMaskWords) mask |= maskOf(rightRow, place) << leftShift
      if (leftShift > 0 && place > 0 && place <= rightMaskWords)
        mask |= maskOf(rightRow, place - 1) >>> (64 - leftShift)
      Platform.putLong(bytes, Start + word * 8L, mask)
      word += 1
    }
  }

  private def copy(from: Object, offset: Long, to: Long, length: Long): Unit =
    if (length > LongestByWords) Platform.copyMemory(from, offset, bytes, to, length)
    else {
      var at = 0L
      while (at < length) {
        Platform.putLong(bytes, to + at, Platform.getLong(from, offset + at))
        at += 8
      }
    }

  /** Adds to the offsets of these fields, whose words begin at `words`; a null without room of its own has none. */
  private def move(variable: Array[Int], words: Long, by: Long): Unit = {
    var i = 0
    while (i < variable.length) {
      val at = words + variable(i) * 8L
      val word = Platform.getLong(bytes, at)
      if (word != 0) Platform.putLong(bytes, at, word + (by << 32))
      i += 1
    }
  }
}

private object RowJoiner {
  private val Start = Platform.BYTE_ARRAY_OFFSET.toLong
  private val LongestByWords = 128L

  private def wordsOf(fields: Int): Int = (fields + 63) / 64

  private def variableFields(schema: StructType): Array[Int] =
    schema.indices.filterNot(i => UnsafeRow.isFixedLength(schema(i).dataType)).toArray

  private def maskOf(row: UnsafeRow, word: Int): Long =
    Platform.getLong(row.getBaseObject, row.getBaseOffset + word * 8L)
}
