package org.apache.spark.sql.shedjoin

import java.io.File

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.execution.streaming.state.StateStore

/** Histories that are stopped and started again between batches, against the same ones left alone. */
class RestartHistoriesSuite extends AnyFunSuite with LocalSpark {
  private val count = Integer.getInteger("shedjoin.restarts", 6).toInt

  override protected def confs: Map[String, String] = Map(
    "spark.sql.streaming.stateStore.maintenanceInterval" -> "20ms",
    "spark.sql.streaming.minBatchesToRetain" -> "2"
  )

  for {
    snapshotEvery <- Seq(1, 3, 10)
    format <- Seq(1, 2)
  } test(s"restarts change nothing: a snapshot every $snapshotEvery deltas, checkpoint format $format") {
    withConf(
      "spark.sql.streaming.stateStore.minDeltasForSnapshot" -> snapshotEvery.toString,
      "spark.sql.streaming.stateStore.checkpointFormatVersion" -> format.toString
    ) {
      (1 to count).foreach { i =>
        val history = Histories.of(3000L + 100 * snapshotEvery + 10 * format + i)
        withClue(s"$history\n") {
          val undisturbed = run(history, _ => ())
          val disturbed = run(history, disturb(new Random(history.seed), _))
          assert(disturbed == undisturbed)
        }
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

  /** All rows of a history, `between` being done before each batch but the first, and the state's size at its end.
    *
    * The rows are compared over all batches: a restart may bring the batch without data, which lets rows expire, later.
    */
  private def run(history: History, between: Disturbed => Unit): (Vector[String], Long) = withFolder { folder =>
    val stream = new StreamRun(spark, history, isShed = true, folder).start()
    try {
      history.batches.zipWithIndex.foreach { case (batch, step) =>
        if (step > 0) between(new Disturbed(stream, folder))
        stream.add(batch).settle()
      }
      val results = stream.results
      (results.flatMap(_.rows.map(_.text)).sorted, results.last.metrics("numRowsTotal"))
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
