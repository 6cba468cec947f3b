package shedjoin.bench.data

import org.apache.spark.sql.connector.read.streaming.{MicroBatchStream, Offset, ReadLimit, SupportsTriggerAvailableNow}
import org.apache.spark.sql.connector.read.{InputPartition, PartitionReaderFactory}

/** The batches of a side, one at a time; an offset is the number of batches read. */
final class GeneratedStream(rows: SideRows) extends MicroBatchStream with SupportsTriggerAvailableNow {
  import GeneratedStream._

  def initialOffset(): Offset = BatchCount(0)
  def deserializeOffset(json: String): Offset = BatchCount(json.toInt)
  def prepareForTriggerAvailableNow(): Unit = ()
  def latestOffset(): Offset = BatchCount(rows.batches)

  override def latestOffset(start: Offset, limit: ReadLimit): Offset =
    BatchCount(math.min(count(start) + 1, rows.batches))

  def planInputPartitions(start: Offset, end: Offset): Array[InputPartition] = {
    val first = count(start).toLong * rows.rowsABatch
    val last = count(end).toLong * rows.rowsABatch
    Array.tabulate(Partitions)(p => RowRange(cut(first, last, p), cut(first, last, p + 1)))
  }

  def createReaderFactory(): PartitionReaderFactory = new GeneratedReaderFactory(rows)
  def commit(end: Offset): Unit = ()
  def stop(): Unit = ()

  private def cut(first: Long, last: Long, part: Int): Long = first + (last - first) * part / Partitions
}

object GeneratedStream {
  private val Partitions = 2

  final private case class BatchCount(batches: Int) extends Offset {
    def json(): String = batches.toString
  }

  private def count(offset: Offset): Int = offset.json.toInt
}

/** Rows `first` until `last` of a side. */
final case class RowRange(first: Long, last: Long) extends InputPartition
