package org.apache.spark.sql.shedjoin.plan

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, UnaryNode}
import org.apache.spark.sql.shedjoin.conf.AskedOptions

/** A hint `SHED_JOIN` that has not found its join yet. */
final case class ShedJoinHint(asked: AskedOptions, child: LogicalPlan) extends UnaryNode {
  override def output: Seq[Attribute] = child.output
  override def maxRows: Option[Long] = child.maxRows
  override protected def doCanonicalize(): LogicalPlan = child.canonicalized
  override protected def withNewChildInternal(newChild: LogicalPlan): ShedJoinHint = copy(child = newChild)
}
