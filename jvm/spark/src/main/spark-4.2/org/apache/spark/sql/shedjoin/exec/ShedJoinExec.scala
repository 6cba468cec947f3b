package org.apache.spark.sql.shedjoin.exec

import org.apache.hadoop.conf.Configuration
import shedjoin.core.join.JoinShape

import org.apache.spark.SparkContext
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.catalyst.plans.JoinType
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.datasources.v2.RealTimeStreamScanExec
import org.apache.spark.sql.execution.streaming.operators.stateful.join.StreamingSymmetricHashJoinExec
import org.apache.spark.sql.execution.streaming.operators.stateful.join.StreamingSymmetricHashJoinHelper._
import org.apache.spark.sql.execution.streaming.operators.stateful.{
  StatefulOperatorCustomMetric,
  StatefulOperatorCustomSumMetric,
  StatefulOperatorStateInfo,
  WatermarkSupport
}
import org.apache.spark.sql.execution.streaming.state.{
  OperatorInfoV1,
  OperatorStateMetadata,
  OperatorStateMetadataV1,
  StateSchemaCompatibilityChecker,
  StateSchemaValidationResult,
  StateStore,
  StateStoreColFamilySchema,
  StateStoreConf,
  StateStoreId,
  StateStoreMetadataV1
}
import org.apache.spark.sql.internal.{SQLConf, SessionState}
import org.apache.spark.sql.shedjoin.conf.ShedJoinOptions
import org.apache.spark.sql.shedjoin.store.{CommitMetrics, ShedStateStoreProvider}
import org.apache.spark.sql.shedjoin.{ShedJoinErrors, ShedJoinLimits}
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
    val options: ShedJoinOptions,
    confs: OperatorConfs
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

  /** With our state store for this operator alone; the superclass asks for it while it is made. */
  override def conf: SQLConf = confs.of(super.conf)

  /** False while the superclass is constructed, which gets a context of its own then. */
  private val isConstructed: Boolean = true
  override protected def sparkContext: SparkContext =
    if (isConstructed) super.sparkContext else ConstructionContext.of(super.sparkContext)

  override val stateStoreNames: Seq[String] = Seq(StateStoreId.DEFAULT_STORE_NAME)

  override def operatorStateMetadataVersion: Int = 1

  override def operatorStateMetadata(stateSchemaPaths: List[List[String]]): OperatorStateMetadata =
    OperatorStateMetadataV1(
      OperatorInfoV1(getStateInfo.operatorId, shortName),
      stateStoreNames.map(StateStoreMetadataV1(_, 0, getStateInfo.numPartitions)).toArray
    )

  /** Runs in the first batch of a query's run: what the join may not be is refused here, before any task. */
  override def validateAndMaybeEvolveStateSchema(
      hadoopConf: Configuration,
      batchId: Long,
      stateSchemaVersion: Int
  ): List[StateSchemaValidationResult] = {
    ShedJoinLimits.check(options, getStateInfo.numPartitions, sparkContext)
    if (exists(_.isInstanceOf[RealTimeStreamScanExec]))
      throw ShedJoinErrors.notSupported("the real-time trigger", "Use Trigger.ProcessingTime or Trigger.AvailableNow.")
    val schema = StateStoreColFamilySchema(
      StateStore.DEFAULT_COL_FAMILY_NAME,
      0,
      JoinSchemas.keys(leftKeys),
      0,
      JoinSchemas.rows(left.output, right.output)
    )
    List(
      StateSchemaCompatibilityChecker.validateAndMaybeEvolveStateSchema(
        getStateInfo,
        hadoopConf,
        List(schema),
        session.sessionState,
        ShedJoinExec.SchemaVersion
      )
    )
  }

  override protected def doExecute(): RDD[InternalRow] = {
    metrics
    val task = new ShedJoinTask(
      joinPlan,
      getStateInfo,
      new StateStoreConf(conf),
      SentConfs.of(session, SessionState.newHadoopConf(sparkContext.hadoopConfiguration, conf)),
      options.memory.map(_ / getStateInfo.numPartitions),
      joinMetrics
    )
    left
      .execute()
      .stateStoreAwareZipPartitions(
        right.execute(),
        getStateInfo,
        stateStoreNames,
        session.sessionState.streamingQueryManager.stateStoreCoordinator
      )(task.run)
  }

  override def customStatefulOperatorMetrics: Seq[StatefulOperatorCustomMetric] =
    Seq(StatefulOperatorCustomSumMetric(ShedJoinExec.Candidates, "stored rows looked at by probes"))

  private def joinPlan: JoinPlan = {
    val keyPlace = TimeColumn.watermarkedKey(leftKeys, rightKeys)
    val reach = new JoinReach(left.output, right.output, condition.full, keyPlace)
    JoinPlan(
      sideInput(left.output, leftKeys, condition.leftSideOnly, keyPlace),
      sideInput(right.output, rightKeys, condition.rightSideOnly, keyPlace),
      SideInput.pairPredicate(condition.bothSides).flatMap(reach.undecided),
      JoinShape(
        JoinPlan.kindOf(joinType),
        bound(stateWatermarkPredicates.left),
        bound(stateWatermarkPredicates.right),
        reach.fromLeft,
        reach.fromRight
      ),
      JoinNaming(
        options.name.getOrElse(s"join ${getStateInfo.operatorId}"),
        options.memory,
        getStateInfo.numPartitions,
        JoinSchemas.keys(leftKeys)
      )
    )
  }

  private def sideInput(
      attributes: Seq[Attribute],
      keys: Seq[Expression],
      ownCondition: Option[Expression],
      keyPlace: Option[Int]
  ): SideInput = {
    val eventTime = WatermarkSupport.findEventTimeColumn(
      attributes,
      allowMultipleEventTimeColumns = !conf.getConf(SQLConf.STATEFUL_OPERATOR_ALLOW_MULTIPLE)
    )
    val late = eventTime
      .zip(eventTimeWatermarkForLateEvents)
      .map { case (column, watermarkMs) => LateRows(TimeColumn.inRow(column, attributes), watermarkMs * 1000) }
    SideInput(attributes, keys, late, ownCondition, TimeColumn.of(keys, keyPlace, attributes))
  }

  /** The event time at and below which rows go, in microseconds. */
  private def bound(predicate: Option[JoinStateWatermarkPredicate]): Long = predicate match {
    case Some(JoinStateKeyWatermarkPredicate(_, watermarkMs, _)) => watermarkMs * 1000
    case Some(JoinStateValueWatermarkPredicate(_, watermarkMs, _)) => watermarkMs * 1000
    case _ => JoinShape.NoBound
  }

  private def joinMetrics: JoinMetrics = JoinMetrics(
    longMetric("numOutputRows"),
    longMetric("numRowsDroppedByWatermark"),
    longMetric("numUpdatedStateRows"),
    longMetric("numRemovedStateRows"),
    longMetric(ShedJoinExec.Candidates),
    longMetric("allUpdatesTimeMs"),
    longMetric("allRemovalsTimeMs"),
    longMetric("commitTimeMs"),
    CommitMetrics(
      longMetric("numTotalStateRows"),
      longMetric("stateMemory"),
      longMetric("numStateStoreInstances"),
      ShedStateStoreProvider.CustomMetrics.map(metric => metric.name -> longMetric(metric.name)).toMap,
      Option.when(StatefulOperatorStateInfo.enableStateStoreCheckpointIds(conf))(checkpointInfoAccumulator)
    )
  )

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
    options,
    confs
  )

  override protected def otherCopyArgs: Seq[AnyRef] = Seq(options, confs)

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

  /** The operator's own metric: how many stored rows its probes looked at. */
  val Candidates = "shedJoinCandidates"

  /** The version of the schema file, which holds one schema of keys and values. */
  private val SchemaVersion = 2

  /** Kept at 2 whatever the session says: Spark's layouts of its own join's state mean nothing here. */
  private val StateFormatVersion = 2

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
      StateFormatVersion,
      left,
      right,
      outputMode = None,
      options,
      new OperatorConfs
    )
  }
}
