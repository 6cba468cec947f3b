package org.apache.spark.sql.shedjoin.exec

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.types.{StructField, StructType}

/** The schemas of a join's state, without nullability, which releases of Spark see differently. */
object JoinSchemas {

  /** The join key. */
  def keys(keys: Seq[Expression]): StructType =
    StructType(keys.zipWithIndex.map { case (key, place) => StructField(s"key$place", key.dataType) }).asNullable

  /** The rows of both sides. */
  def rows(left: Seq[Attribute], right: Seq[Attribute]): StructType =
    StructType(Seq("left" -> left, "right" -> right).map { case (side, attributes) =>
      StructField(side, row(attributes))
    }).asNullable

  /** One side's rows; names are made unique by their place, since a join's input may repeat them. */
  private def row(attributes: Seq[Attribute]): StructType =
    StructType(attributes.zipWithIndex.map { case (a, place) => StructField(s"${place}_${a.name}", a.dataType) })
}
