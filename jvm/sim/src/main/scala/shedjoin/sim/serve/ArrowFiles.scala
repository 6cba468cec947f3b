package shedjoin.sim.serve

import java.io.{FileInputStream, FileOutputStream}
import java.nio.{ByteBuffer, ByteOrder}

import scala.collection.mutable
import scala.jdk.CollectionConverters._
import scala.util.Using

import org.apache.arrow.memory.RootAllocator
import org.apache.arrow.vector._
import org.apache.arrow.vector.ipc.{ArrowStreamReader, ArrowStreamWriter}
import shedjoin.sim.TraceSide

/** A column of numbers, without nulls. */
sealed private[serve] trait Column {
  def name: String
  def size: Int
}

private[serve] object Column {
  final case class Longs(name: String, values: Array[Long]) extends Column { def size: Int = values.length }
  final case class Doubles(name: String, values: Array[Double]) extends Column { def size: Int = values.length }
  final case class Bytes(name: String, values: Array[Byte]) extends Column { def size: Int = values.length }
}

/** Columns in files in Arrow's stream format. */
private[serve] object ArrowFiles {
  private val RowsABatch = 1 << 18

  /** Writes columns of as many rows. O(rows). */
  def write(path: String, columns: Column*): Unit = Using.Manager { use =>
    val allocator = use(new RootAllocator)
    val vectors = columns.map(column => use(vector(column, allocator)))
    val root = new VectorSchemaRoot(vectors.asJava)
    val writer = use(new ArrowStreamWriter(root, null, use(new FileOutputStream(path))))
    (0 until columns.head.size by RowsABatch).foreach { from =>
      val rows = math.min(RowsABatch, columns.head.size - from)
      columns.zip(vectors).foreach { case (column, vector) => fill(vector, column, from, rows) }
      root.setRowCount(rows)
      writer.writeBatch()
    }
    writer.end()
  }.get

  private def vector(column: Column, allocator: RootAllocator): FieldVector = column match {
    case Column.Longs(name, _) => new BigIntVector(name, allocator)
    case Column.Doubles(name, _) => new Float8Vector(name, allocator)
    case Column.Bytes(name, _) => new TinyIntVector(name, allocator)
  }

  private def fill(vector: FieldVector, column: Column, from: Int, rows: Int): Unit = {
    (vector, column) match {
      case (longs: BigIntVector, Column.Longs(_, values)) =>
        longs.allocateNew(rows)
        (0 until rows).foreach(i => longs.set(i, values(from + i)))
      case (doubles: Float8Vector, Column.Doubles(_, values)) =>
        doubles.allocateNew(rows)
        (0 until rows).foreach(i => doubles.set(i, values(from + i)))
      case (bytes: TinyIntVector, Column.Bytes(_, values)) =>
        bytes.allocateNew(rows)
        (0 until rows).foreach(i => bytes.set(i, values(from + i)))
      case _ => throw new AssertionError(s"a vector ${vector.getName} for the column ${column.name}")
    }
    vector.setValueCount(rows)
  }

  /** Reads the rows of a side: `time`, `key`, and, where they say more, `value` and `importance`. O(rows). */
  def readSide(path: String): TraceSide = Using.Manager { use =>
    val reader = use(new ArrowStreamReader(use(new FileInputStream(path)), use(new RootAllocator)))
    val root = reader.getVectorSchemaRoot
    val times, keys, values = mutable.ArrayBuffer.empty[Array[Long]]
    val importances = mutable.ArrayBuffer.empty[Array[Double]]
    while (reader.loadNextBatch()) {
      times += longs(root.getVector("time"))
      keys += longs(root.getVector("key"))
      values += Option(root.getVector("value")).fold(keys.last)(longs)
      importances += Option(root.getVector("importance")).fold(Array.fill(root.getRowCount)(1.0))(doubles)
    }
    def joined(batches: mutable.ArrayBuffer[Array[Long]]): Array[Long] = Array.concat(batches.toSeq: _*)
    TraceSide.keyed(joined(times), joined(keys), joined(values), Array.concat(importances.toSeq: _*))
  }.get

  /** Reads a column of longs. O(rows). */
  def readLongs(path: String, name: String): Array[Long] = Using.Manager { use =>
    val reader = use(new ArrowStreamReader(use(new FileInputStream(path)), use(new RootAllocator)))
    val batches = mutable.ArrayBuffer.empty[Array[Long]]
    while (reader.loadNextBatch()) batches += longs(reader.getVectorSchemaRoot.getVector(name))
    Array.concat(batches.toSeq: _*)
  }.get

  private def longs(vector: FieldVector): Array[Long] = {
    val values = new Array[Long](vector.getValueCount)
    buffer(vector).asLongBuffer.get(values)
    values
  }

  private def doubles(vector: FieldVector): Array[Double] = {
    val values = new Array[Double](vector.getValueCount)
    buffer(vector).asDoubleBuffer.get(values)
    values
  }

  private def buffer(vector: FieldVector): ByteBuffer =
    vector.getDataBuffer.nioBuffer(0, vector.getValueCount * 8).order(ByteOrder.nativeOrder)
}
