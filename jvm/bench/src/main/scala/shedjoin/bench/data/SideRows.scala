package shedjoin.bench.data

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.types.{LongType, StringType, StructField, StructType, TimestampType}
import org.apache.spark.sql.util.CaseInsensitiveStringMap

/** What the rows of one side of a workload look like.
  *
  * A batch covers `stepMs` of event time, its rows at random within it, and up to `jitterMs` earlier than that.
  *
  * @param firstKey
  *   keys are `firstKey` to `firstKey + keys - 1`
  * @param zipf
  *   the exponent of the keys' frequencies; 0 for keys as frequent as each other
  * @param textBytes
  *   the length of a text in each row; 0 for rows without one
  */
final case class SideRows(
    name: String,
    seed: Long,
    batches: Int,
    rowsABatch: Int,
    keys: Int,
    firstKey: Long,
    zipf: Double,
    stepMs: Long,
    jitterMs: Long,
    textBytes: Int
) {

  /** Names begin with that of the side, so that both sides can stand in one condition. */
  def schema: StructType = {
    val fixed = Seq("Key" -> LongType, "Time" -> TimestampType, "Value" -> LongType)
    val text = if (textBytes > 0) Seq("Text" -> StringType) else Nil
    StructType((fixed ++ text).map { case (column, of) => StructField(name + column, of, nullable = false) })
  }

  /** As options of a [[GeneratedSource]]. */
  def options: Map[String, String] = productElementNames.zip(productIterator.map(_.toString)).toMap
}

object SideRows {

  def of(options: CaseInsensitiveStringMap): SideRows = {
    val all = options.asScala
    def long(name: String): Long = all(name.toLowerCase).toLong
    SideRows(
      all("name"),
      long("seed"),
      long("batches").toInt,
      long("rowsABatch").toInt,
      long("keys").toInt,
      long("firstKey"),
      all("zipf").toDouble,
      long("stepMs"),
      long("jitterMs"),
      long("textBytes").toInt
    )
  }
}
