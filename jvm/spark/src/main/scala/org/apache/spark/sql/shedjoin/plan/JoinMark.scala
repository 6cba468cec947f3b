package org.apache.spark.sql.shedjoin.plan

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.codegen.Block.BlockHelper
import org.apache.spark.sql.catalyst.expressions.codegen.{CodegenContext, ExprCode, FalseLiteral}
import org.apache.spark.sql.catalyst.expressions.{Attribute, BinaryExpression, ExprId, Expression, Predicate}
import org.apache.spark.sql.shedjoin.conf.AskedOptions

/** A predicate that is always true and carries what was asked of the join in whose condition it stands.
  *
  * Nodes, tags and Spark's own hints do not survive the optimizer; a conjunct that needs a column of each side does.
  * Constraint propagation may copy it, with other columns, below a join. So each mark is stamped before that happens:
  * a mark whose columns are not those of its stamp is told from the one it was copied from.
  */
final case class JoinMark(left: Expression, right: Expression, asked: AskedOptions, stamp: Option[JoinMark.Stamp])
    extends BinaryExpression
    with Predicate {

  override def nullable: Boolean = false
  override def foldable: Boolean = false
  override def prettyName: String = "shed_join"
  override def toString: String = s"shed_join($left, $right, $asked)"
  override def sql: String = toString

  override def eval(input: InternalRow): Any = true

  override protected def doGenCode(ctx: CodegenContext, ev: ExprCode): ExprCode =
    ev.copy(code = code"final boolean ${ev.value} = true;", isNull = FalseLiteral)

  /** Whether this is the mark that was stamped, rather than a copy of it. */
  def isOriginal: Boolean = stamp.forall(_.columns == columns)

  /** This mark, known from now on by `id` and its present columns. */
  def stamped(id: Long): JoinMark = copy(stamp = Some(JoinMark.Stamp(id, columns)))

  private def columns: Seq[ExprId] = Seq(left, right).collect { case column: Attribute => column.exprId }

  /** Keeps a column where the optimizer would put a constant: the mark must go on needing both sides. */
  override protected def withNewChildrenInternal(newLeft: Expression, newRight: Expression): JoinMark = {
    def column(now: Expression, next: Expression) = next.references.headOption.getOrElse(now)
    copy(left = column(left, newLeft), right = column(right, newRight))
  }
}

object JoinMark {

  /** A mark's identity: a number of its own, and the columns it had. */
  final case class Stamp(id: Long, columns: Seq[ExprId])
}
