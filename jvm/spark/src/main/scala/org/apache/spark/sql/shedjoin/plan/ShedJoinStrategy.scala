package org.apache.spark.sql.shedjoin.plan

import org.apache.spark.sql.catalyst.planning.ExtractEquiJoinKeys
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.{SparkPlan, SparkStrategy}
import org.apache.spark.sql.shedjoin.exec.ShedJoinExec

/** The strategy that plans a `ShedJoin` as the operator. */
object ShedJoinStrategy extends SparkStrategy {

  override def apply(plan: LogicalPlan): Seq[SparkPlan] = plan match {
    case join: ShedJoin =>
      join.asJoin match {
        case ExtractEquiJoinKeys(joinType, leftKeys, rightKeys, condition, _, left, right, _) =>
          val inputs = (planLater(left), planLater(right))
          Seq(ShedJoinExec.plan(leftKeys, rightKeys, joinType, condition, join.options, inputs))
        case _ => Nil
      }
    case _ => Nil
  }
}
