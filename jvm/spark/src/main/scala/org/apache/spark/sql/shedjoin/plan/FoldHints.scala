package org.apache.spark.sql.shedjoin.plan

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.logical.{Filter, Join, LogicalPlan, UnaryNode}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.shedjoin.conf.AskedOptions

/** The rule that brings each hint to its join: the nearest join of two streams below it, else the one right above it.
  *
  * A Dataset is analysed at each step, so a hint may be seen before the join that it is for: it stays until then.
  */
object FoldHints extends Rule[LogicalPlan] {

  override def apply(plan: LogicalPlan): LogicalPlan =
    if (plan.exists(_.isInstanceOf[ShedJoinHint])) fold(plan) else plan

  private def fold(plan: LogicalPlan): LogicalPlan = plan.mapChildren(fold) match {
    case hint: ShedJoinHint =>
      val marked = markBelow(hint.child, hint.asked, Nil)
      if (marked eq hint.child) hint else marked
    case join @ StreamJoin(_) => takeFromSides(join.asInstanceOf[Join])
    case other => other
  }

  /** The plan with the nearest joins of two streams marked; the plan itself where there is none. */
  private def markBelow(plan: LogicalPlan, asked: AskedOptions, above: Seq[Expression]): LogicalPlan = plan match {
    case StreamJoin(join) => StreamJoin.mark(join, asked, above).getOrElse(join)
    case Filter(condition, _) =>
      plan.mapChildren(markBelow(_, asked, above ++ StreamJoin.conjunctsOf(condition)))
    case _ => plan.mapChildren(markBelow(_, asked, above))
  }

  private def takeFromSides(join: Join): LogicalPlan = {
    val (left, right) = (takeFrom(join.left), takeFrom(join.right))
    val asked = Seq(left, right).flatMap(_.map(_._1)).reduceOption(_ orElse _)
    val clean = join.copy(left = left.fold(join.left)(_._2), right = right.fold(join.right)(_._2))
    asked.fold[LogicalPlan](join)(StreamJoin.mark(clean, _, Nil).getOrElse(clean))
  }

  /** The hint on top of a side, and the side without it. */
  private def takeFrom(side: LogicalPlan): Option[(AskedOptions, LogicalPlan)] = side match {
    case ShedJoinHint(asked, child) =>
      val deeper = takeFrom(child)
      Some((deeper.fold(asked)(_._1.orElse(asked)), deeper.fold(child)(_._2)))
    case unary: UnaryNode =>
      takeFrom(unary.child).map { case (asked, child) => (asked, unary.withNewChildren(Seq(child))) }
    case _ => None
  }
}
