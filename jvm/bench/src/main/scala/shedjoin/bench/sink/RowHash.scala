package shedjoin.bench.sink

import shedjoin.core.Mixer

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.XXH64
import org.apache.spark.sql.types.{LongType, StringType, StructType, TimestampType}

/** Hashes rows by their values, so that it does not matter how an engine laid them out. */
final class RowHash(schema: StructType) {
  private val isText = schema.fields.map(_.dataType match {
    case StringType => true
    case LongType | TimestampType => false
    case other => throw new IllegalArgumentException(s"no hash for $other")
  })

  /** O(bytes). */
  def of(row: InternalRow): Long = {
    var hash = 0L
    var column = 0
    while (column < isText.length) {
      hash = Mixer.at(hash, valueAt(row, column))
      column += 1
    }
    hash
  }

  private def valueAt(row: InternalRow, column: Int): Long =
    if (row.isNullAt(column)) RowHash.Null
    else if (isText(column)) {
      val text = row.getUTF8String(column)
      XXH64.hashUnsafeBytes(text.getBaseObject, text.getBaseOffset, text.numBytes, 0)
    } else row.getLong(column)
}

object RowHash {
  private val Null = 0x5eed0fab5e9ce11L
}
