package shedjoin.bench.data

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.connector.read.{InputPartition, PartitionReader, PartitionReaderFactory}
import org.apache.spark.sql.execution.vectorized.{OnHeapColumnVector, WritableColumnVector}
import org.apache.spark.sql.vectorized.{ColumnVector, ColumnarBatch}

/** Readers that give the rows of a range in columns. */
final class GeneratedReaderFactory(rows: SideRows) extends PartitionReaderFactory {

  override def supportColumnarReads(partition: InputPartition): Boolean = true

  def createReader(partition: InputPartition): PartitionReader[InternalRow] =
    throw new UnsupportedOperationException("rows are read in columns")

  override def createColumnarReader(partition: InputPartition): PartitionReader[ColumnarBatch] = partition match {
    case range: RowRange => new GeneratedReader(rows, range)
    case other => throw new IllegalArgumentException(s"not a range of rows: $other")
  }
}

final private class GeneratedReader(rows: SideRows, range: RowRange) extends PartitionReader[ColumnarBatch] {
  import GeneratedReader.ChunkRows

  private val maker = new RowMaker(rows)
  private val columns: Array[WritableColumnVector] =
    OnHeapColumnVector.allocateColumns(ChunkRows, rows.schema).map(column => column: WritableColumnVector)
  private val batch = new ColumnarBatch(columns.map(column => column: ColumnVector))
  private var at = range.first

  def next(): Boolean = {
    val count = math.min(ChunkRows.toLong, range.last - at).toInt
    if (count > 0) {
      maker.fill(columns, at, count)
      batch.setNumRows(count)
      at += count
    }
    count > 0
  }

  def get(): ColumnarBatch = batch
  def close(): Unit = batch.close()
}

private object GeneratedReader {
  private val ChunkRows = 4096
}
