package org.apache.spark.sql.shedjoin.recovery

import java.nio.file.Files

import scala.jdk.CollectionConverters.ListHasAsScala

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.Seeded

/** Executors of their own: one that is lost, a task that fails, and two attempts of a task at a time. */
class ClusterSuite extends AnyFunSuite with Seeded {
  private val seed: Long = seedsAfter(0).next()
  private val localCluster = "local-cluster[2,1,1024]"

  private val speculation = Map(
    "spark.speculation" -> "true",
    "spark.speculation.interval" -> "100ms",
    "spark.speculation.quantile" -> "0.5",
    "spark.speculation.minTaskRuntime" -> "500ms"
  )

  private def survives(trouble: String, master: String, attempt: String, conf: Map[String, String]): Unit =
    test(s"in mid-batch the $trouble: a $attempt attempt gives the result, and the rows are exact, seed $seed") {
      val undisturbed = Drill.undisturbed(seed)
      val drill = new Drill(seed, RecoveryQuery.Shed ++ TestClasses.ofExecutors ++ conf)
      val home = s"-Dspark.test.home=${Files.createDirectory(drill.folder.resolve("home"))}"
      val where = Seq(s"-D${RecoveryApp.MasterKey}=$master", s"-D${RecoveryApp.TroubleKey}=$trouble")
      drill.finish(where ++ Seq("-Dspark.testing=true", home))
      val attempts = Files.readAllLines(RecoveryApp.attempts(drill.folder)).asScala
      assert(attempts.contains(attempt), s": attempts in ${drill.folder}")
      assert(drill.rows == undisturbed, s": in ${drill.folder}")
      drill.delete()
    }

  survives("executor is killed", localCluster, "second", RecoveryQuery.checkpointFormat(1))
  survives("task fails", localCluster, "second", RecoveryQuery.checkpointFormat(2))
  survives("task is slow", RecoveryApp.TwoHostsMaster, "speculative", speculation ++ RecoveryQuery.checkpointFormat(2))
}
