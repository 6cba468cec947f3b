package org.apache.spark.sql.shedjoin.plan

import java.util.Locale

import org.apache.spark.sql.catalyst.expressions.{Expression, StringLiteral}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, UnresolvedHint}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreePattern.UNRESOLVED_HINT
import org.apache.spark.sql.shedjoin.ShedJoinErrors
import org.apache.spark.sql.shedjoin.conf.{AskedBy, AskedOptions}

/** The rule that takes the hints meant for ShedJoin out of Spark's hands, before their relations are known. */
object ResolveHints extends Rule[LogicalPlan] {

  /** The hint that users write. */
  val hint = "SHED_JOIN"

  /** The hint by which `shedjoin.join` hands over its arguments; nearer than the one users write. */
  val callHint = "SHED_JOIN_CALL"

  override def apply(plan: LogicalPlan): LogicalPlan =
    plan.resolveOperatorsUpWithPruning(_.containsPattern(UNRESOLVED_HINT)) {
      case UnresolvedHint(name, parameters, child) if ways.contains(name.toUpperCase(Locale.ROOT)) =>
        val askedBy = ways(name.toUpperCase(Locale.ROOT))
        ShedJoinHint(AskedOptions.parse(parameters.map(text), askedBy), child)
    }

  private val ways: Map[String, AskedBy] = Map(hint -> AskedBy.Hint, callHint -> AskedBy.Call)

  private def text(parameter: Expression): String = parameter match {
    case StringLiteral(text) => text
    case other => throw ShedJoinErrors.malformedHint(other.sql)
  }
}
