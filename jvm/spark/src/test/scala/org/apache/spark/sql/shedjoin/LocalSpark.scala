package org.apache.spark.sql.shedjoin

import java.io.File
import java.nio.file.Files

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.hdfs.HdfsConfiguration
import org.apache.hadoop.mapred.JobConf
import org.scalatest.{BeforeAndAfterAll, Suite}

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.streaming.state.StateStore
import org.apache.spark.util.Utils

/** A session of one suite, with the extension loaded and no join asked for. */
trait LocalSpark extends BeforeAndAfterAll { this: Suite =>

  /** The session; made at first use, so that all of a suite's confs are known. */
  lazy val spark: SparkSession = {
    val builder = SparkSession.builder().master(master).appName(suiteName)
    (LocalSpark.confs ++ confs).foreach { case (key, value) => builder.config(key, value) }
    val session = builder.getOrCreate()
    LocalSpark.keepFew(session.sparkContext.hadoopConfiguration)
    session
  }

  protected def master: String = "local[2]"

  protected def confs: Map[String, String] = Map.empty

  /** Runs `body` with a new folder, which is deleted after it. */
  def withFolder[A](body: File => A): A = {
    val folder = Files.createTempDirectory("shedjoin").toFile
    try body(folder)
    finally Utils.deleteRecursively(folder)
  }

  /** Runs `body` with confs of the session that are taken back after it. */
  def withConf[A](pairs: (String, String)*)(body: => A): A = {
    val before = pairs.map { case (key, _) => key -> spark.conf.getOption(key) }
    pairs.foreach { case (key, value) => spark.conf.set(key, value) }
    try body
    finally before.foreach { case (key, old) => old.fold(spark.conf.unset(key))(spark.conf.set(key, _)) }
  }

  override def afterAll(): Unit =
    try {
      spark.streams.active.foreach(_.stop())
      StateStore.stop()
      spark.stop()
    } finally super.afterAll()
}

object LocalSpark {

  /** Leaves out Hadoop's thousand defaults, which its code knows anyhow: Spark's join packs all entries several times a
    * batch, which took a tenth of the time of random histories. Classes that bring more defaults are loaded first.
    */
  private def keepFew(conf: Configuration): Unit = {
    new JobConf()
    HdfsConfiguration.init()
    val kept = Seq("fs.file.", "fs.AbstractFileSystem.file.").map(prefix => prefix -> conf.getPropsWithPrefix(prefix))
    conf.clear()
    for ((prefix, entries) <- kept) entries.forEach((key, value) => conf.set(prefix + key, value))
  }

  private val confs: Map[String, String] = Map(
    "spark.sql.extensions" -> classOf[ShedJoinExtensions].getName,
    "spark.sql.shuffle.partitions" -> "2",
    "spark.ui.enabled" -> "false",
    "spark.sql.codegen.wholeStage" -> "false",
    "spark.sql.session.timeZone" -> "UTC",
    // StateStore.stop waits, holding a lock, for maintenance that may wait for that lock.
    "spark.sql.streaming.stateStore.maintenanceShutdownTimeout" -> "2",
    "spark.sql.streaming.stateStore.maintenanceForceShutdownTimeout" -> "2",
    "spark.sql.streaming.numRecentProgressUpdates" -> "1000",
    "spark.sql.streaming.checkpointFileManagerClass" ->
      "org.apache.spark.sql.execution.streaming.checkpointing.FileSystemBasedCheckpointFileManager"
  )
}
