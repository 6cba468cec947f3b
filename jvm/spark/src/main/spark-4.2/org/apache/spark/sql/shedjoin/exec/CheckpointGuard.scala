package org.apache.spark.sql.shedjoin.exec

import java.util.UUID

import scala.util.Try

import org.apache.hadoop.fs.Path

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.streaming.checkpointing.CheckpointFileManager
import org.apache.spark.sql.execution.streaming.operators.stateful.StatefulOperatorsUtils
import org.apache.spark.sql.execution.streaming.runtime.StreamExecution
import org.apache.spark.sql.execution.streaming.state.{
  OperatorStateMetadataUtils,
  OperatorStateMetadataV1,
  OperatorStateMetadataV2
}
import org.apache.spark.sql.shedjoin.ShedJoinErrors
import org.apache.spark.sql.shedjoin.conf.ShedJoinRegistry
import org.apache.spark.sql.shedjoin.plan.{ShedJoin, StreamJoin}

/** The check, in the first batch of a run, that the checkpoint was written by the kind of join that is planned now.
  *
  * Spark refuses such a checkpoint too, but later, without the ways out, and not at all where the formats of the
  * operators' metadata differ.
  */
object CheckpointGuard {
  private val sparksName = StatefulOperatorsUtils.SYMMETRIC_HASH_JOIN_EXEC_OP_NAME

  /** Throws where the joins of the checkpoint are not those of the plan. Costs a listing of the state folder. */
  def check(plan: LogicalPlan): Unit = for {
    session <- SparkSession.getActiveSession
    id <- Option(session.sparkContext.getLocalProperty(StreamExecution.QUERY_ID_KEY))
    query <- Option(session.sharedState.activeStreamingQueries.get(UUID.fromString(id)))
    if Option(query.lastExecution).forall(_.isFirstBatch)
  } compare(plan, query.resolvedCheckpointRoot, operators(session, query.resolvedCheckpointRoot))

  private def compare(plan: LogicalPlan, checkpoint: String, written: Seq[String]): Unit = {
    val shed = plan.collect { case join: ShedJoin => join }.size
    val sparks = plan.collect { case StreamJoin(join) => join }.size
    if (shed > 0 && written.count(_ == sparksName) > sparks) {
      throw ShedJoinErrors.checkpointOfOtherJoin(checkpoint, "Spark's own stream-stream join", "ShedJoin", leaveIt)
    }
    if (sparks > 0 && written.count(_ == ShedJoinExec.shortName) > shed) {
      throw ShedJoinErrors.checkpointOfOtherJoin(checkpoint, "ShedJoin", "Spark's own stream-stream join", askAgain)
    }
  }

  private val leaveIt =
    s"leave the join to Spark: set ${ShedJoinRegistry.confKey("enabled")} to false, and use neither hint nor shedjoin.join"

  private val askAgain =
    s"ask for ShedJoin again: set ${ShedJoinRegistry.confKey("enabled")} to true, or use the hint or shedjoin.join"

  /** The names of the stateful operators that the checkpoint holds. */
  private def operators(session: SparkSession, checkpoint: String): Seq[String] = {
    val state = new Path(checkpoint, "state")
    val files = CheckpointFileManager.create(state, session.sessionState.newHadoopConf())
    if (!files.exists(state)) Nil
    else files.list(state).toSeq.filter(_.isDirectory).map(_.getPath).flatMap(operator(files, _))
  }

  private def operator(files: CheckpointFileManager, folder: Path): Option[String] = {
    val first = OperatorStateMetadataV1.metadataFilePath(folder)
    val second = OperatorStateMetadataV2.metadataDirPath(folder)
    val found = if (files.exists(first)) Some(first -> 1) else latest(files, second).map(_ -> 2)
    found
      .flatMap { case (path, version) => OperatorStateMetadataUtils.readMetadata(files.open(path), version) }
      .map(_.operatorInfo.operatorName)
  }

  private def latest(files: CheckpointFileManager, folder: Path): Option[Path] =
    if (!files.exists(folder)) None
    else {
      val batches = files.list(folder).toSeq.flatMap(f => Try(f.getPath.getName.toLong).toOption.map(_ -> f.getPath))
      batches.maxByOption(_._1).map(_._2)
    }
}
