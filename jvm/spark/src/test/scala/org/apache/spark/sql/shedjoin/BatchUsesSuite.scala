package org.apache.spark.sql.shedjoin

import java.util.concurrent.ConcurrentHashMap

import scala.jdk.CollectionConverters._

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.{DataFrame, Row}

/** What a batch gives however it is used, compared with Spark's own join used likewise. */
class BatchUsesSuite extends AnyFunSuite with LocalSpark {
  import BatchUsesSuite._

  /** Code as users have it, which pulls rows in another order; joins of a batch with itself that shuffle nothing. */
  override protected def confs: Map[String, String] = Map(
    "spark.sql.codegen.wholeStage" -> "true",
    "spark.sql.autoBroadcastJoinThreshold" -> "-1",
    "spark.sql.streaming.stateStore.commitValidation.enabled" -> "true"
  )

  for (use <- BatchUses.partial ++ BatchUses.whole) test(s"a batch gives what Spark's join gives: ${use.name}") {
    val ours = run(use, isShed = true)
    val sparks = run(use, isShed = false)
    assert(ours.found.keySet == sparks.found.keySet && ours.found.size == Used)
    ours.found.toSeq.sortBy(_._1).foreach { case (batch, found) =>
      assert(differences(found, sparks.found(batch)).isEmpty, s": what only ours and only Spark's gives in $batch")
    }
    ours.batches.zip(sparks.batches).foreach { case (our, spark) =>
      assert(differences(our.sorted, spark.sorted).isEmpty, s": what only ours and only Spark's gives in ${our.id}")
      // Spark does not count the rows that an outer join removes to emit them.
      if (our.id >= Used)
        assert(our.rowCounts - "numRowsRemoved" == spark.rowCounts - "numRowsRemoved", s": after batch ${our.id}")
    }
  }

  test("actions at once report what as many one after another report") {
    val inTurn = BatchUse("actions in turn", isWhole = true, rows => Seq.fill(6)(rows.count()).map(_.toString))
    val atOnce = run(BatchUses.whole.find(_.name == "actions at once").get, isShed = true).batches
    assert(atOnce.map(_.rowCounts) == run(inTurn, isShed = true).batches.map(_.rowCounts))
  }

  private case class Found(found: Map[Long, Seq[String]], batches: Vector[BatchResult])

  /** Some batches of a use that reads all rows are read once more, after it; the last input's batches are just read. */
  private def run(use: BatchUse, isShed: Boolean): Found = withFolder { folder =>
    spark.sparkContext.setCheckpointDir(folder.toPath.resolve("checkpointed").toString)
    val found = new ConcurrentHashMap[Long, Seq[String]]
    val take = (rows: DataFrame, batch: Long) => {
      if (batch < Used) found.put(batch, use.does(rows))
      if (use.isWhole && batch < Used / 2) Vector.empty[Row] else rows.collect().toVector
    }
    val history = if (use.isWhole) some else many
    val stream = new StreamRun(spark, history, isShed, folder.toPath.resolve("checkpoint").toFile, take)
    try {
      stream.start()
      history.batches.foreach(batch => stream.add(batch).settle())
      Found(found.asScala.toMap, stream.results)
    } finally stream.stop()
  }

  /** A few of what is in the one only, and in the other only. */
  private def differences(ours: Seq[String], sparks: Seq[String]): Seq[Any] =
    if (ours == sparks) Nil
    else {
      val (onlyOurs, onlySparks) = (ours.diff(sparks), sparks.diff(ours))
      Seq(onlyOurs.size, onlyOurs.take(3), onlySparks.size, onlySparks.take(3))
    }
}

object BatchUsesSuite {

  /** The batches that are used: two of data, and after each one without, which lets rows expire. */
  private val Used = 4

  /** Thousands of rows a partition, so that what stops early does stop before their end. */
  private val many: History = history(rowsASide = 5000, keys = 1500)

  private val some: History = history(rowsASide = 1000, keys = 300)

  private def history(rowsASide: Int, keys: Int): History =
    ManyRows.history(ManyRows.join, batches = 2, rowsASide, keys).copy(codegen = true)
}
