package org.apache.spark.sql.shedjoin

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.JoinType
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.streaming.operators.stateful.StatefulOperatorStateInfo
import org.apache.spark.sql.execution.streaming.operators.stateful.join.StreamingSymmetricHashJoinExec
import org.apache.spark.sql.execution.streaming.operators.stateful.join.StreamingSymmetricHashJoinHelper.{
  JoinConditionSplitPredicates,
  JoinStateWatermarkPredicates
}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.streaming.OutputMode

/** The operator that joins two streams as ShedJoin. */
final class ShedJoinExec(
    leftKeys: Seq[Expression],
    rightKeys: Seq[Expression],
    joinType: JoinType,
    condition: JoinConditionSplitPredicates,
    stateInfo: Option[StatefulOperatorStateInfo],
    eventTimeWatermarkForLateEvents: Option[Long],
    eventTimeWatermarkForEviction: Option[Long],
    stateWatermarkPredicates: JoinStateWatermarkPredicates,
    stateFormatVersion: Int,
    left: SparkPlan,
    right: SparkPlan,
    outputMode: Option[OutputMode],
    val options: ShedJoinOptions
) extends StreamingSymmetricHashJoinExec(
      leftKeys,
      rightKeys,
      joinType,
      condition,
      stateInfo,
      eventTimeWatermarkForLateEvents,
      eventTimeWatermarkForEviction,
      stateWatermarkPredicates,
      stateFormatVersion,
      left,
      right,
      outputMode
    ) {

  override def shortName: String = ShedJoinExec.shortName

  override def copy(
      leftKeys: Seq[Expression],
      rightKeys: Seq[Expression],
      joinType: JoinType,
      condition: JoinConditionSplitPredicates,
      stateInfo: Option[StatefulOperatorStateInfo],
      eventTimeWatermarkForLateEvents: Option[Long],
      eventTimeWatermarkForEviction: Option[Long],
      stateWatermarkPredicates: JoinStateWatermarkPredicates,
      stateFormatVersion: Int,
      left: SparkPlan,
      right: SparkPlan,
      outputMode: Option[OutputMode]
  ): ShedJoinExec = new ShedJoinExec(
    leftKeys,
    rightKeys,
    joinType,
    condition,
    stateInfo,
    eventTimeWatermarkForLateEvents,
    eventTimeWatermarkForEviction,
    stateWatermarkPredicates,
    stateFormatVersion,
    left,
    right,
    outputMode,
    options
  )

  override protected def otherCopyArgs: Seq[AnyRef] = Seq(options)

  override protected def stringArgs: Iterator[Any] = Iterator(options.describe) ++ super.stringArgs

  override def verboseStringWithOperatorId(): String =
    super.verboseStringWithOperatorId().stripLineEnd + s"\nOptions: ${options.describe}\n"

  override def canEqual(that: Any): Boolean = that.isInstanceOf[ShedJoinExec]

  override def equals(that: Any): Boolean = that match {
    case other: ShedJoinExec => super.equals(other) && options == other.options
    case _ => false
  }

  override def hashCode: Int = 31 * super.hashCode + options.hashCode
}

object ShedJoinExec {

  /** The operator's name in checkpoints and progress. */
  val shortName = "shedJoin"

  /** The operator for a join of `inputs`, before a batch is known. */
  def plan(
      leftKeys: Seq[Expression],
      rightKeys: Seq[Expression],
      joinType: JoinType,
      condition: Option[Expression],
      options: ShedJoinOptions,
      inputs: (SparkPlan, SparkPlan)
  ): ShedJoinExec = {
    val (left, right) = inputs
    new ShedJoinExec(
      leftKeys,
      rightKeys,
      joinType,
      JoinConditionSplitPredicates(condition, left, right),
      stateInfo = None,
      eventTimeWatermarkForLateEvents = None,
      eventTimeWatermarkForEviction = None,
      JoinStateWatermarkPredicates(),
      SQLConf.get.getConf(SQLConf.STREAMING_JOIN_STATE_FORMAT_VERSION),
      left,
      right,
      outputMode = None,
      options
    )
  }
}
