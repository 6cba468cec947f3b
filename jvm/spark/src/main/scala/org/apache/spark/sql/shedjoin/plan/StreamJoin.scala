package org.apache.spark.sql.shedjoin.plan

import org.apache.spark.sql.catalyst.expressions.{And, Attribute, Equality, Expression, Literal, PredicateHelper}
import org.apache.spark.sql.catalyst.planning.ExtractEquiJoinKeys
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan}
import org.apache.spark.sql.catalyst.plans.{FullOuter, Inner, JoinType, LeftOuter, LeftSemi, RightOuter}
import org.apache.spark.sql.shedjoin.conf.AskedOptions

/** What the rules ask of a join of two streams, and how a mark gets into its condition and out again. */
object StreamJoin extends PredicateHelper {
  private val joinTypes: Set[JoinType] = Set(Inner, LeftOuter, RightOuter, FullOuter, LeftSemi)

  def unapply(plan: LogicalPlan): Option[Join] = plan match {
    case join: Join if join.left.isStreaming && join.right.isStreaming => Some(join)
    case _ => None
  }

  /** Why ShedJoin can not take this join, if so. */
  def refusal(join: Join): Option[String] =
    if (!joinTypes(join.joinType)) Some(s"it does no ${join.joinType.sql} joins")
    else if (ExtractEquiJoinKeys.unapply(join).isEmpty) Some("the join has no equality between columns of its sides")
    else None

  /** The join in words of SQL. */
  def describe(join: Join): String = {
    val condition = join.condition.flatMap(withoutMarks).fold("")(c => s" ON ${c.sql}")
    s"${join.joinType.sql} JOIN$condition"
  }

  /** The mark in the condition of a join. */
  def markOf(join: Join): Option[JoinMark] = conjuncts(join).collectFirst { case mark: JoinMark => mark }

  /** The join, asked for as `asked` says; what was asked nearer before goes first. `above` holds conditions that the
    * optimizer will bring into the join. None where a side has no column.
    */
  def mark(join: Join, asked: AskedOptions, above: Seq[Expression]): Option[Join] = markOf(join) match {
    case Some(mark) =>
      val merged = mark.copy(asked = mark.asked.orElse(asked))
      Some(withConjuncts(join, conjuncts(join).filterNot(_ eq mark) :+ merged))
    case None =>
      columns(join, conjuncts(join) ++ above).map { case (left, right) =>
        withConjuncts(join, conjuncts(join) :+ JoinMark(left, right, asked, None))
      }
  }

  /** The predicate without any mark, however deep. */
  def withoutMarks(condition: Expression): Option[Expression] = {
    val kept = splitConjunctivePredicates(condition).filterNot(_.isInstanceOf[JoinMark])
    kept
      .reduceLeftOption(And)
      .map(_.transform { case _: JoinMark =>
        Literal.TrueLiteral
      })
  }

  def hasMark(condition: Expression): Boolean = condition.exists(_.isInstanceOf[JoinMark])

  def conjunctsOf(condition: Expression): Seq[Expression] = splitConjunctivePredicates(condition)

  private def conjuncts(join: Join): Seq[Expression] = join.condition.toSeq.flatMap(conjunctsOf)

  private def withConjuncts(join: Join, all: Seq[Expression]): Join = join.copy(condition = all.reduceLeftOption(And))

  /** A column of each side, of an equality where there is one, for those are needed anyhow. */
  private def columns(join: Join, conditions: Seq[Expression]): Option[(Attribute, Attribute)] = {
    def of(expression: Expression, side: LogicalPlan) = expression.references.find(side.outputSet.contains)
    val ofEquality = conditions.collect { case Equality(a, b) => Seq(a -> b, b -> a) }.flatten.flatMap { case (a, b) =>
      of(a, join.left).zip(of(b, join.right))
    }
    ofEquality.headOption.orElse(join.left.output.headOption.zip(join.right.output.headOption))
  }
}
