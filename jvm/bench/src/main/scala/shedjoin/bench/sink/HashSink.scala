package shedjoin.bench.sink

import java.util
import java.util.concurrent.ConcurrentHashMap

import org.apache.spark.sql.connector.catalog.{SupportsWrite, Table, TableCapability, TableProvider}
import org.apache.spark.sql.connector.expressions.Transform
import org.apache.spark.sql.connector.write.streaming.StreamingWrite
import org.apache.spark.sql.connector.write.{LogicalWriteInfo, Write, WriteBuilder}
import org.apache.spark.sql.types.StructType
import org.apache.spark.sql.util.CaseInsensitiveStringMap

/** A sink that only hashes what it is given: Spark's `noop` sink, and proof of what went into it. The option `output`
  * names what is written; batches that run again count once.
  */
final class HashSink extends TableProvider {
  def inferSchema(options: CaseInsensitiveStringMap): StructType = new StructType()
  override def supportsExternalMetadata(): Boolean = true

  def getTable(schema: StructType, partitioning: Array[Transform], properties: util.Map[String, String]): Table =
    HashTable
}

object HashSink {
  private val batches = new ConcurrentHashMap[String, ConcurrentHashMap[Long, OutputHash]]

  /** What was written to `output` so far. */
  def written(output: String): OutputHash = {
    var sum = OutputHash.Empty
    batchesOf(output).values.forEach(batch => sum = sum.plus(batch))
    sum
  }

  private[sink] def write(output: String, batch: Long, hash: OutputHash): Unit = {
    batchesOf(output).put(batch, hash)
    ()
  }

  private def batchesOf(output: String) = batches.computeIfAbsent(output, _ => new ConcurrentHashMap)
}

private object HashTable extends Table with SupportsWrite {
  def name(): String = "hash"
  override def schema(): StructType = new StructType()

  def capabilities(): util.Set[TableCapability] =
    util.EnumSet.of(TableCapability.STREAMING_WRITE, TableCapability.ACCEPT_ANY_SCHEMA)

  def newWriteBuilder(info: LogicalWriteInfo): WriteBuilder = new WriteBuilder {
    override def build(): Write = new Write {
      override def toStreaming: StreamingWrite = new HashWrite(info.options.get("output"), info.schema)
    }
  }
}
