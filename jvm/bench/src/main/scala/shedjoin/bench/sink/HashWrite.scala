package shedjoin.bench.sink

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.connector.write.streaming.{StreamingDataWriterFactory, StreamingWrite}
import org.apache.spark.sql.connector.write.{DataWriter, PhysicalWriteInfo, WriterCommitMessage}
import org.apache.spark.sql.types.StructType

/** Gathers what the tasks hashed; a task's rows count when its batch is committed. */
final private class HashWrite(output: String, schema: StructType) extends StreamingWrite {

  def createStreamingWriterFactory(info: PhysicalWriteInfo): StreamingDataWriterFactory = new HashWriterFactory(schema)

  override def useCommitCoordinator(): Boolean = false

  def commit(epoch: Long, messages: Array[WriterCommitMessage]): Unit =
    HashSink.write(
      output,
      epoch,
      messages.collect { case hash: OutputHash => hash }.foldLeft(OutputHash.Empty)(_ plus _)
    )

  def abort(epoch: Long, messages: Array[WriterCommitMessage]): Unit = ()
}

final private class HashWriterFactory(schema: StructType) extends StreamingDataWriterFactory {
  def createWriter(partition: Int, task: Long, epoch: Long): DataWriter[InternalRow] = new HashWriter(schema)
}

final private class HashWriter(schema: StructType) extends DataWriter[InternalRow] {
  private val hash = new RowHash(schema)
  private var rows = 0L
  private var sum = 0L

  def write(row: InternalRow): Unit = {
    rows += 1
    sum += hash.of(row)
  }

  def commit(): WriterCommitMessage = OutputHash(rows, sum)
  def abort(): Unit = ()
  def close(): Unit = ()
}
