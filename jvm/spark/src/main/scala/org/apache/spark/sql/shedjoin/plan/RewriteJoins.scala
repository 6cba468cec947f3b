package org.apache.spark.sql.shedjoin.plan

import org.apache.spark.sql.catalyst.expressions.Literal
import org.apache.spark.sql.catalyst.plans.InnerLike
import org.apache.spark.sql.catalyst.plans.logical.{Filter, Join, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.catalyst.trees.TreeNodeTag
import org.apache.spark.sql.shedjoin.ShedJoinErrors
import org.apache.spark.sql.shedjoin.conf.ShedJoinOptions
import org.apache.spark.sql.shedjoin.exec.CheckpointGuard

/** The last rule of the optimizer: joins of two streams that are asked for become `ShedJoin`, and all marks go.
  *
  * It must run after every rule that knows only `Join`. It reads the conf of the session that runs it, since streaming
  * queries run in a clone of the session that the rule was installed in.
  */
object RewriteJoins extends Rule[LogicalPlan] {

  /** Put on a join that was left to Spark: the batch of this rule runs to a fixed point, and the mark is gone by then. */
  private val leftToSpark = TreeNodeTag[Unit]("shedjoin.leftToSpark")

  override def apply(plan: LogicalPlan): LogicalPlan = {
    val joins = plan.collect { case StreamJoin(join) if join.getTagValue(leftToSpark).isEmpty => join }
    if (joins.isEmpty) withoutStrayMarks(plan) else rewrite(plan, joins)
  }

  private def rewrite(plan: LogicalPlan, joins: Seq[Join]): LogicalPlan = {
    val copies = copiedMarks(joins)
    val rewritten = plan.transformUp {
      case StreamJoin(join) if join.getTagValue(leftToSpark).isEmpty =>
        rewriteJoin(join, StreamJoin.markOf(join).filterNot(copies.contains))
    }
    val settled = withoutStrayMarks(rewritten)
    CheckpointGuard.check(settled)
    settled
  }

  private def rewriteJoin(join: Join, mark: Option[JoinMark]): LogicalPlan = {
    val clean = join.copy(condition = join.condition.flatMap(StreamJoin.withoutMarks))
    ShedJoinOptions.resolve(mark.map(_.asked), conf).filter(isTaken(clean, _)) match {
      case Some(options) => ShedJoin(clean.left, clean.right, clean.joinType, clean.condition, options)
      case None =>
        clean.setTagValue(leftToSpark, ())
        clean
    }
  }

  private def isTaken(join: Join, options: ShedJoinOptions): Boolean = StreamJoin.refusal(join) match {
    case None => true
    case Some(reason) if options.askedBy.byName =>
      throw ShedJoinErrors.joinNotTaken(options.askedBy, reason, StreamJoin.describe(join))
    case Some(reason) =>
      logWarning(s"This join stays Spark's own, since $reason: ${StreamJoin.describe(join)}")
      false
  }

  /** The marks that constraint propagation copied into another inner join: of those that share a stamp, all but the
    * original, or the topmost where no one has the columns of the stamp any more.
    */
  private def copiedMarks(joins: Seq[Join]): Set[JoinMark] = {
    val inner = joins.filter(_.joinType.isInstanceOf[InnerLike]).flatMap(StreamJoin.markOf)
    inner
      .filter(_.stamp.isDefined)
      .groupBy(_.stamp.get.id)
      .values
      .filter(_.size > 1)
      .flatMap { marks =>
        if (marks.exists(_.isOriginal)) marks.filterNot(_.isOriginal) else marks.tail
      }
      .toSet
  }

  private def withoutStrayMarks(plan: LogicalPlan): LogicalPlan = plan.transformUp {
    case Filter(condition, child) if StreamJoin.hasMark(condition) =>
      StreamJoin.withoutMarks(condition).fold(child)(Filter(_, child))
    case other if other.expressions.exists(StreamJoin.hasMark) =>
      other.transformExpressions { case _: JoinMark => Literal.TrueLiteral }
  }
}
