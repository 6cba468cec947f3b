package org.apache.spark.sql.shedjoin

import java.io.File

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.Seeded

import org.apache.spark.sql.execution.streaming.state.StateStore

/** Histories that are stopped and started again between batches: batch by batch what Spark's operator gives when it is
  * stopped likewise (it has checkpoint format 1 only on its default store), and over all batches what the same history
  * gives when it is left alone. A restart may bring the batch without data, which lets rows expire, one batch later.
  */
class RestartHistoriesSuite extends AnyFunSuite with LocalSpark with Seeded {
  private val formatVersion = "spark.sql.streaming.stateStore.checkpointFormatVersion"

  override protected def confs: Map[String, String] = Map(
    "spark.sql.streaming.stateStore.maintenanceInterval" -> "20ms",
    // Spark can not read back a null interval that its generated code wrote, for it takes that row for a damaged one.
    "spark.sql.streaming.stateStore.formatValidation.enabled" -> "false",
    "spark.sql.streaming.minBatchesToRetain" -> "2"
  )

  for {
    snapshotEvery <- Seq(1, 3, 10)
    format <- Seq(1, 2)
  } test(s"restarts change nothing: a snapshot every $snapshotEvery deltas, checkpoint format $format") {
    withConf(
      "spark.sql.streaming.stateStore.minDeltasForSnapshot" -> snapshotEvery.toString,
      formatVersion -> format.toString
    ) {
      seeds(4, after = 3000L + 100 * snapshotEvery + 10 * format).map(Histories.of).foreach { history =>
        alone(history.seed)(withClue(s"$history\n") {
          val undisturbed = run(history, isShed = true, _ => ())
          val disturbed = run(history, isShed = true, disturb(new Random(history.seed), _))
          val sparks =
            withConf(formatVersion -> "1")(run(history, isShed = false, disturb(new Random(history.seed), _)))
          assert(rowsOf(disturbed) == rowsOf(sparks))
          assert(disturbed.map(_.metrics.get("numRowsTotal")) == sparks.map(_.metrics.get("numRowsTotal")))
          assert(rowsOf(disturbed).flatMap(_._2).sorted == rowsOf(undisturbed).flatMap(_._2).sorted)
          assert(disturbed.last.metrics("numRowsTotal") == undisturbed.last.metrics("numRowsTotal"))
        })
      }
    }
  }

  /** Stops the query, in some cases as if it had died before its last batch was known to be done, and starts it anew. */
  private def disturb(r: Random, run: Disturbed): Unit = if (r.nextInt(3) > 0) {
    run.stream.stop()
    if (r.nextBoolean()) StateStore.unloadAll()
    if (r.nextInt(3) == 0) run.forgetLastCommit()
    run.stream.start()
    if (r.nextBoolean()) run.stream.settle()
  }

  private def rowsOf(batches: Vector[BatchResult]): Vector[(Long, Vector[String])] = batches.map(b => (b.id, b.sorted))

  /** The batches of a history, `between` being done before each of its own but the first. */
  private def run(history: History, isShed: Boolean, between: Disturbed => Unit): Vector[BatchResult] =
    withFolder { folder =>
      val stream = new StreamRun(spark, history, isShed, folder).start()
      try {
        history.batches.zipWithIndex.foreach { case (batch, step) =>
          if (step > 0) between(new Disturbed(stream, folder))
          stream.add(batch).settle()
        }
        stream.results
      } finally stream.stop()
    }

  final private class Disturbed(val stream: StreamRun, checkpoint: File) {

    def forgetLastCommit(): Unit = {
      val commits = new File(checkpoint, "commits").listFiles.filter(_.getName.forall(_.isDigit))
      if (commits.nonEmpty) {
        val last = commits.maxBy(_.getName.toLong)
        new File(last.getParentFile, s".${last.getName}.crc").delete()
        assert(last.delete())
      }
    }
  }
}
