package org.apache.spark.sql.shedjoin.plan

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression, ExpressionSet}
import org.apache.spark.sql.catalyst.plans.JoinType
import org.apache.spark.sql.catalyst.plans.logical.{BinaryNode, Join, JoinHint, LogicalPlan}
import org.apache.spark.sql.shedjoin.conf.ShedJoinOptions

/** A join of two streams that is to run as ShedJoin; in all else the `Join` that it stands for. */
final case class ShedJoin(
    left: LogicalPlan,
    right: LogicalPlan,
    joinType: JoinType,
    condition: Option[Expression],
    options: ShedJoinOptions
) extends BinaryNode {

  /** The join as Spark knows it. */
  lazy val asJoin: Join = Join(left, right, joinType, condition, JoinHint.NONE)

  override def output: Seq[Attribute] = asJoin.output
  override def metadataOutput: Seq[Attribute] = asJoin.metadataOutput
  override lazy val maxRows: Option[Long] = asJoin.maxRows
  override lazy val resolved: Boolean = asJoin.resolved
  override protected lazy val validConstraints: ExpressionSet = asJoin.constraints

  override protected def withNewChildrenInternal(newLeft: LogicalPlan, newRight: LogicalPlan): ShedJoin =
    copy(left = newLeft, right = newRight)
}
