package org.apache.spark.sql.shedjoin.recovery

import java.nio.file.{Files, Path}

import org.scalatest.BeforeAndAfterAll
import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.execution.streaming.state.StateStore
import org.apache.spark.sql.shedjoin.conf.ShedJoinRegistry

/** A session for queries that stop and go on. */
abstract class StoppedQueries extends AnyFunSuite with BeforeAndAfterAll {

  protected lazy val spark: SparkSession = {
    val builder = SparkSession.builder().master("local[2]")
    (RecoveryQuery.Conf ++ RecoveryQuery.Shed ++ conf).foreach { case (key, value) => builder.config(key, value) }
    builder.getOrCreate()
  }

  protected def conf: Map[String, String] = Map(
    "spark.sql.shuffle.partitions" -> "2",
    "spark.sql.streaming.stateStore.minDeltasForSnapshot" -> "3"
  )

  /** The rows of the whole query by Spark's own join, whose default state store knows checkpoint format 1 only. */
  protected def bySpark(seed: Long): Seq[String] = {
    val folder = Files.createTempDirectory("shedjoin-spark")
    StoppedQuery.arrive(folder, seed, 0, StoppedQuery.all)
    val session = spark.newSession()
    session.conf.set(ShedJoinRegistry.confKey("enabled"), "false")
    try StoppedQuery.run(session, folder)
    finally Drill.delete(folder)
  }

  /** The state files of each partition under `folder`. */
  protected def byPartition(folder: Path): Map[Path, Seq[Path]] =
    StoppedQuery.stateFiles(folder).groupBy(_.getParent)

  /** Maintenance goes on at the pace of whoever started it in this JVM: an earlier suite's would write no snapshots here. */
  override protected def beforeAll(): Unit = StateStore.stop()

  override protected def afterAll(): Unit = spark.stop()
}
