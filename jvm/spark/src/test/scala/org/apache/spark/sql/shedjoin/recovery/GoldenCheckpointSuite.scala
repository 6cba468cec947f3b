package org.apache.spark.sql.shedjoin.recovery

import java.nio.file.Files

import shedjoin.state.FileHeader

/** Checkpoints of former releases go on where they stopped. */
class GoldenCheckpointSuite extends StoppedQueries {
  private val key = "spark.sql.streaming.stateStore.checkpointFormatVersion"

  for (version <- Seq(1, 2); state <- 1 to FileHeader.Format) {
    lazy val golden = GoldenCheckpoint.ofFormat(version, state)

    test(
      s"the committed checkpoint of format $version, its state of format $state, goes on and gives exactly the rest"
    ) {
      spark.conf.set(key, version.toString)
      if (java.lang.Boolean.getBoolean("shedjoin.writeGolden") && !Files.exists(golden.committed))
        golden.write(spark, bySpark(GoldenCheckpoint.Seed))
      val folder = golden.copy()
      assert(StoppedQuery.run(spark, folder) == golden.expected)
      assert(golden.expected.size > 30)
      Drill.delete(folder)
    }

    test(
      s"the committed checkpoint of format $version, its state of format $state, holds a snapshot and later deltas of each partition"
    ) {
      val partitions = byPartition(golden.committed)
      assert(partitions.size == 2)
      partitions.foreach { case (partition, files) =>
        val snapshots = files.filter(_.toString.endsWith(".snapshot")).map(StoppedQuery.version)
        assert(snapshots.nonEmpty && files.exists(StoppedQuery.version(_) > snapshots.max), s": $partition")
      }
    }
  }
}
