package org.apache.spark.sql.shedjoin.exec

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.Seeded

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.codegen.GenerateUnsafeRowJoiner
import org.apache.spark.sql.catalyst.expressions.{AttributeReference, Literal, UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.catalyst.types.DataTypeUtils
import org.apache.spark.sql.catalyst.util.{ArrayBasedMapData, GenericArrayData}
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String

/** What copies rows without generated classes, against Spark's generated ones, byte by byte. */
class RowCopySuite extends AnyFunSuite with Seeded {
  import RowCopySuite._

  test("rows are joined to the bytes that Spark's joiner writes") {
    histories(150) { random =>
      val Seq(left, right) =
        Seq.fill(2)(schema(random, Types, 0 + random.nextInt(if (random.nextInt(10) == 0) 140 else 8))): @unchecked
      val ours = new RowJoiner(left, right)
      val sparks = GenerateUnsafeRowJoiner.create(left, right)
      for (l <- rows(left, random); r <- rows(right, random))
        assert(same(ours.join(l, r), sparks.join(l, r)), s"$left $right $l $r")
    }
  }

  test("keys are copied to the bytes that Spark's projection writes") {
    histories(300) { random =>
      val columns = schema(random, KeyTypes, 1 + random.nextInt(if (random.nextInt(10) == 0) 140 else 6))
      val attributes = DataTypeUtils.toAttributes(columns)
      val keys =
        Seq
          .fill(1 + random.nextInt(if (random.nextInt(10) == 0) 140 else 4))(attributes(random.nextInt(columns.length)))
      val ours = KeyCopier.of(keys, attributes).get
      val sparks = UnsafeProjection.create(keys, attributes)
      rows(columns, random).foreach(row => assert(same(ours.of(row), sparks(row)), s"$keys of $row"))
    }
  }

  test("a key that is said to stand in its row is the one that Spark's projection writes") {
    var (found, nulls) = (0, 0)
    histories(300) { random =>
      val columns =
        schema(
          random,
          Seq(LongType, TimestampType, TimestampNTZType),
          1 + random.nextInt(if (random.nextInt(10) == 0) 140 else 6)
        )
      val attributes = DataTypeUtils.toAttributes(columns)
      val keys =
        Seq
          .fill(1 + random.nextInt(if (random.nextInt(10) == 0) 140 else 4))(attributes(random.nextInt(columns.length)))
      val inRow = KeyCopier.inRow(keys, attributes)
      val sparks = UnsafeProjection.create(keys, attributes)
      rows(columns, random).foreach { row =>
        val bytes = new Array[Byte](inRow.length) ++ row.getBytes
        val isWhole = keys.forall(key => !row.isNullAt(attributes.indexWhere(_.exprId == key.exprId)))
        assert(
          inRow.holds(bytes, inRow.length) == isWhole && inRow.fits(row.getSizeInBytes),
          s"$keys of $row"
        )
        if (isWhole) {
          inRow.copy(bytes, inRow.length, bytes)
          assert(java.util.Arrays.equals(bytes.take(inRow.length), sparks(row).getBytes), s"$keys of $row")
          found += 1
        } else nulls += 1
      }
    }
    overall(assert(found > 200 && nulls > 200, s"$found keys in rows, $nulls rows with nulls in their keys"))
  }

  test("keys that are not whole words of a row are not sought in it") {
    KeyTypes.filterNot(Seq(LongType, TimestampType, TimestampNTZType).contains(_)).foreach { of =>
      val column = AttributeReference("a", of)()
      assert(!KeyCopier.inRow(Seq(column), Seq(column)).isKnown, s"$of")
    }
    val column = AttributeReference("a", LongType)()
    assert(!KeyCopier.inRow(Nil, Seq(column)).isKnown)
    assert(!KeyCopier.inRow(Seq(column, Literal(1L)), Seq(column)).isKnown)
  }

  test("other keys are left to Spark's projection") {
    def isCopied(of: DataType) = {
      val column = AttributeReference("a", of)()
      KeyCopier.of(Seq(column), Seq(column)).isDefined
    }
    assert(KeyTypes.forall(isCopied))
    assert(
      !Seq(DoubleType, FloatType, DecimalType(30, 2), StringType("UTF8_LCASE"), ArrayType(LongType)).exists(isCopied)
    )
  }

  private def same(ours: UnsafeRow, sparks: UnsafeRow): Boolean =
    ours.numFields == sparks.numFields && java.util.Arrays.equals(ours.getBytes, sparks.getBytes)

  private def schema(random: Random, types: Seq[DataType], columns: Int) =
    StructType(
      (0 until columns).map(i => StructField(s"c$i", types(random.nextInt(types.size)), random.nextInt(3) > 0))
    )

  /** Rows of the schema, some of which lie in the middle of an array. */
  private def rows(schema: StructType, random: Random): Seq[UnsafeRow] = {
    val projection = UnsafeProjection.create(schema)
    Seq.fill(6) {
      val values =
        schema.map(field => if (field.nullable && random.nextInt(4) == 0) null else value(field.dataType, random))
      val row = projection(InternalRow.fromSeq(values)).copy()
      if (random.nextBoolean()) row else shifted(row)
    }
  }

  private def value(of: DataType, random: Random): Any = of match {
    case BooleanType => random.nextBoolean()
    case ByteType => random.nextInt().toByte
    case ShortType => random.nextInt().toShort
    case IntegerType | DateType => random.nextInt()
    case LongType | TimestampType | TimestampNTZType => random.nextLong()
    case FloatType => random.nextFloat()
    case DoubleType => random.nextDouble()
    case BinaryType => random.nextBytes(random.nextInt(40))
    case _: StringType =>
      UTF8String.fromString(random.nextString(random.nextInt(if (random.nextInt(9) == 0) 200 else 9)))
    case decimal: DecimalType => Decimal(BigDecimal(random.nextInt(), decimal.scale), decimal.precision, decimal.scale)
    case ArrayType(element, _) => new GenericArrayData(Seq.fill(random.nextInt(5))(value(element, random)))
    case MapType(key, to, _) =>
      val keys = Seq.fill(random.nextInt(4))(value(key, random)).distinct
      ArrayBasedMapData(keys.toArray, keys.map(_ => value(to, random)).toArray)
    case StructType(fields) => InternalRow.fromSeq(fields.toSeq.map(field => value(field.dataType, random)))
    case other => throw new IllegalArgumentException(s"no values of $other")
  }

  private def shifted(row: UnsafeRow): UnsafeRow = {
    val bytes = new Array[Byte](row.getSizeInBytes + 24)
    row.writeToMemory(bytes, UnsafeRowStart + 16)
    val moved = new UnsafeRow(row.numFields)
    moved.pointTo(bytes, UnsafeRowStart + 16, row.getSizeInBytes)
    moved
  }
}

object RowCopySuite {
  private val UnsafeRowStart = org.apache.spark.unsafe.Platform.BYTE_ARRAY_OFFSET.toLong

  private val KeyTypes = Seq(
    BooleanType,
    ByteType,
    ShortType,
    IntegerType,
    LongType,
    DateType,
    TimestampType,
    TimestampNTZType,
    StringType,
    BinaryType
  )
  private val Types = KeyTypes ++ Seq(
    DoubleType,
    FloatType,
    DecimalType(10, 2),
    DecimalType(30, 2),
    ArrayType(LongType),
    MapType(LongType, StringType),
    new StructType().add("a", StringType).add("b", LongType)
  )
}
