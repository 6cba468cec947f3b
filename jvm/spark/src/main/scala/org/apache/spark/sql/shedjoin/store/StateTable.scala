package org.apache.spark.sql.shedjoin.store

import scala.collection.mutable

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import shedjoin.core.Budget
import shedjoin.core.join.{JoinShape, Side}
import shedjoin.state.{FileMerge, JoinState, Lineage, StateSettings, StateVersion}

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{GenericInternalRow, UnsafeRow}
import org.apache.spark.sql.types.{BooleanType, IntegerType, StringType, StructField, StructType, TimestampType}
import org.apache.spark.unsafe.Platform
import org.apache.spark.unsafe.types.UTF8String

/** The stored rows of a join as rows of a table. */
final case class StateTable(stateFolder: String, operator: Long, keys: StructType, sides: StructType) {
  private def left: StructType = named(sides("left").dataType)
  private def right: StructType = named(sides("right").dataType)

  def schema: StructType = StructType(
    Seq(
      StructField("partition", IntegerType, nullable = false),
      StructField("side", StringType, nullable = false),
      StructField("event_time", TimestampType),
      StructField("matched", BooleanType, nullable = false),
      StructField("key", keys),
      StructField("left", left),
      StructField("right", right)
    )
  )

  /** The rows of one partition; its state is loaded into memory for that. */
  def rows(partition: Int, version: StateVersion, hadoopConf: Configuration): Iterator[InternalRow] = {
    val files = new CheckpointStateFiles(new Path(stateFolder, s"$operator/$partition"), hadoopConf)
    val budget = Budget.unlimited
    val state = new JoinState(budget, StateSettings(budget.limitBytes, 1, 1).pageBytes)
    val lineage = new Lineage(files)
    new FileMerge(lineage, lineage.filesOf(version), budget).restore(state)
    val ids = mutable.ArrayBuilder.make[Int]
    state.foreachRow(ids += _)
    ids.result().iterator.map(row(state, partition, _))
  }

  private def row(state: JoinState, partition: Int, id: Int): InternalRow = {
    val isLeft = state.side(id) == Side.Left
    val address = state.address(id)
    val fields = if (isLeft) left.length else right.length
    val bytes = copyOf(state.page(address), state.offset(address), state.length(address), fields)
    val time = state.time(id)
    new GenericInternalRow(
      Array[Any](
        partition,
        UTF8String.fromString(Side.name(state.side(id))),
        if (time == JoinShape.NoTime) null else time,
        state.isMatched(id),
        keyOf(state, state.key(id)),
        if (isLeft) bytes else null,
        if (isLeft) null else bytes
      )
    )
  }

  private def keyOf(state: JoinState, key: Int): UnsafeRow =
    copyOf(state.keyBytes.page(key), state.keyBytes.offset(key), state.keyBytes.length(key), keys.length)

  private def copyOf(bytes: Array[Byte], from: Int, length: Int, fields: Int): UnsafeRow = {
    val row = new UnsafeRow(fields)
    row.pointTo(bytes, Platform.BYTE_ARRAY_OFFSET + from.toLong, length)
    row.copy()
  }

  /** Columns as the query calls them: the schema file numbers them, since a join's input may repeat a name. */
  private def named(side: org.apache.spark.sql.types.DataType): StructType = side match {
    case columns: StructType => StructType(columns.map(c => c.copy(name = c.name.dropWhile(_ != '_').drop(1))))
    case other => throw new IllegalArgumentException(s"a side of a join has the type $other")
  }
}
