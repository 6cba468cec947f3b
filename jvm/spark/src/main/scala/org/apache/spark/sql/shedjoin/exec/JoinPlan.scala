package org.apache.spark.sql.shedjoin.exec

import shedjoin.core.join.{JoinKind, JoinShape}

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.catalyst.plans._
import org.apache.spark.sql.types.StructType

/** What a task needs to know to join one partition: everything about the join but the rows and the state.
  *
  * @param pair   the part of the condition that needs both sides
  * @param naming how the join is called in errors
  */
final case class JoinPlan(
    left: SideInput,
    right: SideInput,
    pair: Option[Expression],
    shape: JoinShape,
    naming: JoinNaming
) {
  def pairAttributes: Seq[Attribute] = left.attributes ++ right.attributes
}

object JoinPlan {
  def kindOf(joinType: JoinType): JoinKind = joinType match {
    case _: InnerLike => JoinKind.Inner
    case LeftOuter => JoinKind.LeftOuter
    case RightOuter => JoinKind.RightOuter
    case FullOuter => JoinKind.FullOuter
    case LeftSemi => JoinKind.LeftSemi
    case other => throw new IllegalArgumentException(s"ShedJoin does not take a $other join")
  }
}

/** How a join is named in errors, and what it may use. */
final case class JoinNaming(join: String, memory: Option[Long], partitions: Int, keySchema: StructType) {

  /** The join's memory and what a partition has of it; 0 where it is unbounded. */
  def memoryBytes: Long = memory.getOrElse(0L)
  def share: Long = memoryBytes / partitions
}
