package shedjoin.bench.data

import java.util

import org.apache.spark.sql.connector.catalog.{SupportsRead, Table, TableCapability, TableProvider}
import org.apache.spark.sql.connector.expressions.Transform
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream
import org.apache.spark.sql.connector.read.{Scan, ScanBuilder}
import org.apache.spark.sql.types.StructType
import org.apache.spark.sql.util.CaseInsensitiveStringMap

/** A streaming source of made-up rows that costs next to nothing, so that what is measured is not the source: rows are
  * made as they are read, in columns, and there are no files to list. Each trigger takes one batch.
  */
final class GeneratedSource extends TableProvider {

  def inferSchema(options: CaseInsensitiveStringMap): StructType = SideRows.of(options).schema

  def getTable(schema: StructType, partitioning: Array[Transform], properties: util.Map[String, String]): Table =
    new GeneratedTable(SideRows.of(new CaseInsensitiveStringMap(properties)))
}

final private class GeneratedTable(rows: SideRows) extends Table with SupportsRead {
  def name(): String = s"generated ${rows.name}"
  override def schema(): StructType = rows.schema
  def capabilities(): util.Set[TableCapability] = util.EnumSet.of(TableCapability.MICRO_BATCH_READ)

  def newScanBuilder(options: CaseInsensitiveStringMap): ScanBuilder = () =>
    new Scan {
      def readSchema(): StructType = rows.schema
      override def toMicroBatchStream(checkpointLocation: String): MicroBatchStream = new GeneratedStream(rows)
      override def columnarSupportMode(): Scan.ColumnarSupportMode = Scan.ColumnarSupportMode.SUPPORTED
    }
}
