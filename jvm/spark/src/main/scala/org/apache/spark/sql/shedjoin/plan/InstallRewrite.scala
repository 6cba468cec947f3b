package org.apache.spark.sql.shedjoin.plan

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule

/** The rule that, at each analysis, sees to it that `RewriteJoins` is the last of the user provided optimizers.
  *
  * There is no injection point that late; and users may overwrite the sequence at any time.
  */
final case class InstallRewrite(session: SparkSession) extends Rule[LogicalPlan] {

  override def apply(plan: LogicalPlan): LogicalPlan = {
    val methods = session.experimental
    methods.synchronized {
      val rules = methods.extraOptimizations
      if (!rules.lastOption.contains(RewriteJoins)) {
        methods.extraOptimizations = rules.filterNot(_ == RewriteJoins) :+ RewriteJoins
      }
    }
    plan
  }
}
