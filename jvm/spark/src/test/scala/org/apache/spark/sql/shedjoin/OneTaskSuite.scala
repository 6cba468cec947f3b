package org.apache.spark.sql.shedjoin

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.{DataFrame, Row}

/** What a join reports of batches that run it several times in one task. */
class OneTaskSuite extends AnyFunSuite with LocalSpark {
  import OneTaskSuite._

  override protected def confs: Map[String, String] = Map(
    "spark.sql.streaming.stateStore.commitValidation.enabled" -> "true",
    // Without generated code a sort takes all rows of one use before the other begins.
    "spark.sql.codegen.wholeStage" -> "true",
    "spark.sql.autoBroadcastJoinThreshold" -> "-1"
  )

  private val once: DataFrame => DataFrame = identity

  private val uses: Seq[(String, DataFrame => DataFrame)] = Seq(
    "joined with a count of itself" -> (rows => rows.join(rows.groupBy("lk").count(), "lk").select(columns(rows): _*)),
    "left semi joined with itself" -> (rows =>
      rows.join(rows.select("lk"), Seq("lk"), "left_semi").select(columns(rows): _*)
    ),
    "joined twice with counts of itself" -> { rows =>
      val counted = rows.join(rows.groupBy("lk").count().withColumnRenamed("count", "c1"), "lk")
      counted.join(rows.groupBy("lk").count().withColumnRenamed("count", "c2"), "lk").select(columns(rows): _*)
    },
    "read twice, one after the other" -> (rows => rows.union(rows).coalesce(1).distinct())
  )

  for ((use, run) <- uses; format <- Seq(1, 2))
    test(s"a batch $use, checkpoint format $format: rows are reported once, and the memory of each copy") {
      withConf("spark.sql.streaming.stateStore.checkpointFormatVersion" -> format.toString) {
        val plain = reported(once)
        val several = reported(run)
        assert(several.map(_.sorted) == plain.map(_.sorted))
        assert(several.map(_.metrics - memory) == plain.map(_.metrics - memory))
        val copies = if (use.contains("twice with")) 3 else if (use.contains("read twice")) 1 else 2
        val full = plain.indices.filter(i => plain(i).rows.nonEmpty)
        val times = full.map(i => several(i).metrics(memory).toDouble / plain(i).metrics(memory))
        // One state that took a batch twice keeps pages that came free for the next one.
        val spare = if (copies == 1) 0.2 else 0.0
        assert(
          full.size == 3 && times.forall(x => x > copies - 0.2 && x < copies + 0.2 + spare),
          s"$times times the memory of one state"
        )
      }
    }

  private def reported(use: DataFrame => DataFrame): Vector[BatchResult] = withFolder { folder =>
    val take = (rows: DataFrame, _: Long) => use(rows).collect().toVector: Vector[Row]
    val stream = new StreamRun(spark, history, isShed = true, folder, take).start()
    try history.batches.foreach(batch => stream.add(batch).settle())
    finally stream.stop()
    stream.results
  }
}

object OneTaskSuite {
  private val memory = "memoryUsedBytes"

  private def columns(rows: DataFrame) = rows.columns.toSeq.map(name => rows.col(name))

  /** Three batches in event time, a little out of order, some rows late. */
  private val history: History = {
    val ids = Iterator.from(1)
    val batches = Vector.tabulate(3)(batch =>
      Vector.fill(600) {
        val id = ids.next().toLong
        val late = if (id % 40 == 0) 60000000L else 0L
        val time = 1700000000L * 1000000 + batch * 20000000L + id % 7 * 1000000 - late
        Event(id, Event.instant(time), Some((id / 2 % 25).toInt), 0, 0, Some(1), (id % 2).toInt)
      }
    )
    History(0, join, batches, nothingLate = false, selfJoin = false, partitions = 2, codegen = true)
  }

  private lazy val join = JoinCase.inner(TimeCondition.between(-5000, 5000), "repeat('x', 20)")
}
