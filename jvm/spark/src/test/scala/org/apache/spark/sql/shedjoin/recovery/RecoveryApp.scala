package org.apache.spark.sql.shedjoin.recovery

import java.nio.file.{Files, Path}
import java.util.concurrent.ConcurrentLinkedQueue

import org.apache.spark.deploy.shedjoin.TwoHosts
import org.apache.spark.scheduler.{SparkListener, SparkListenerTaskEnd}
import org.apache.spark.sql.SparkSession

/** The driver that is disturbed: runs the query in the folder of its first argument to the end and writes its result.
  *
  * The other arguments are settings of the session, as `key=value`. System properties say where it runs and what befalls
  * it; `CrashPoint` has one of its own.
  */
object RecoveryApp {

  /** What it prints when the query is about to start. */
  val Starting = "the query starts"

  /** The system property that holds the master; `TwoHostsMaster` is a cluster of its own making. */
  val MasterKey = "shedjoin.master"
  val TwoHostsMaster = "two-hosts"

  /** The system property that holds the kind of `Trouble`. */
  val TroubleKey = "shedjoin.trouble"

  def main(args: Array[String]): Unit = {
    val folder = Path.of(args.head)
    val builder = SparkSession.builder().master(master(folder))
    args.tail.map(_.split("=", 2)).foreach(setting => builder.config(setting(0), setting(1)))
    val spark = builder.getOrCreate()
    spark.sparkContext.addSparkListener(TaskWatch)
    val joined = RecoveryQuery.joined(spark, folder)
    println(Starting)
    RecoveryQuery.run(sys.props.get(TroubleKey).fold(joined)(Trouble.in(joined, _)), folder)
    RecoveryQuery.writeResult(spark, folder)
    spark.stop()
    Files.writeString(attempts(folder), TaskWatch.further.toArray.mkString("\n"))
    // The cluster's threads would keep the JVM.
    if (sys.props.contains(MasterKey)) sys.exit()
  }

  /** Where it tells of the attempts after the first that gave a task's result, a line each. */
  def attempts(folder: Path): Path = folder.resolve("attempts.txt")

  private def master(folder: Path): String = sys.props.get(MasterKey) match {
    case Some(TwoHostsMaster) => TwoHosts.start(folder)
    case asked => asked.getOrElse("local[2]")
  }

  /** Hears of the end of each task that writes to the sink. */
  private object TaskWatch extends SparkListener {
    val further = new ConcurrentLinkedQueue[String]

    override def onTaskEnd(end: SparkListenerTaskEnd): Unit = if (end.taskType == "ResultTask") {
      val task = end.taskInfo
      CrashPoint.reached("task", "reported")
      if (task.successful && (task.attemptNumber > 0 || end.stageAttemptId > 0))
        further.add(if (task.speculative) "speculative" else "second")
    }
  }
}
