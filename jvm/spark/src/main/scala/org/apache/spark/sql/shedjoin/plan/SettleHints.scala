package org.apache.spark.sql.shedjoin.plan

import java.util.concurrent.atomic.AtomicLong

import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.shedjoin.ShedJoinErrors

/** The optimizer's rule that stamps the marks, before any is copied, and ends the hints that found no join. */
object SettleHints extends Rule[LogicalPlan] {
  private val nextId = new AtomicLong

  override def apply(plan: LogicalPlan): LogicalPlan = {
    val folded = FoldHints(plan)
    val settled = if (folded.exists(_.isInstanceOf[ShedJoinHint])) dropHints(folded) else folded
    settled.transformUp {
      case join @ StreamJoin(_) if StreamJoin.markOf(join.asInstanceOf[Join]).exists(_.stamp.isEmpty) => stamp(join)
    }
  }

  private def stamp(join: LogicalPlan): LogicalPlan = join.transformExpressions {
    case mark: JoinMark if mark.stamp.isEmpty => mark.stamped(nextId.getAndIncrement())
  }

  /** A hint in a plan whose joins are none of two streams was meant for one that can not be taken. */
  private def dropHints(plan: LogicalPlan): LogicalPlan = {
    val joins = plan.collect { case join: Join => join }
    plan.transformUp { case hint: ShedJoinHint =>
      joins.headOption match {
        case Some(join) =>
          throw ShedJoinErrors.joinNotTaken(hint.asked.askedBy, notOfStreams(join), StreamJoin.describe(join))
        case None => logWarning(s"A hint ${ResolveHints.hint}(${hint.asked}) has no join to act on and is dropped.")
      }
      hint.child
    }
  }

  private def notOfStreams(join: Join): String = {
    def kind(side: LogicalPlan) = if (side.isStreaming) "a stream" else "static"
    s"a side of the join is no stream (left: ${kind(join.left)}, right: ${kind(join.right)})"
  }
}
