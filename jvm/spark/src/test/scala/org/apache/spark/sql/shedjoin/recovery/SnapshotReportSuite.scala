package org.apache.spark.sql.shedjoin.recovery

import java.nio.file.Files

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.streaming.state.shedjoin.KnownSnapshots

/** Spark warns of state stores that write no snapshots, so it has to be told of ours. */
class SnapshotReportSuite extends StoppedQueries {

  test("Spark's coordinator knows of the snapshots that maintenance writes") {
    val folder = Files.createTempDirectory("shedjoin-snapshots")
    StoppedQuery.arrive(folder, seed = 3, 0, StoppedQuery.first)
    var known = Seq.empty[Long]
    StoppedQuery.run(
      spark,
      folder,
      pauseMs = 400,
      atBatch = { batch: DataFrame =>
        val session = batch.sparkSession.asInstanceOf[SparkSession]
        val run = spark.streams.active.head.runId
        val checkpoint = s"file:${folder.resolve("checkpoint")}"
        known = (0 until 2).flatMap(KnownSnapshots.latest(session, checkpoint, _, run))
      }
    )
    assert(known.size == 2 && known.forall(_ > 0), s": $known")
    Drill.delete(folder)
  }
}
