package org.apache.spark.sql.shedjoin

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.functions.{col, count, expr, lit, sum, window}
import org.apache.spark.sql.{DataFrame, Dataset}

/** Operators that come after a join in the same query give, batch by batch, what they give after Spark's own join. */
class AfterJoinSuite extends AnyFunSuite with LocalSpark {
  import AfterJoinSuite._

  for (updateMode <- Seq(false, true))
    gives(s"an aggregation by windows, ${if (updateMode) "update" else "append"} mode", mode(updateMode)) {
      (joined, _, _) =>
        joined.groupBy(window(col("lts"), "5 seconds"), col("lk")).agg(count(lit(1)), sum("rv"))
    }

  gives("duplicates dropped", outer)((joined, _, _) => joined.select("lid").dropDuplicates("lid"))

  gives("duplicates dropped within the watermark", outer) { (joined, _, _) =>
    joined.select("lid", "lts").dropDuplicatesWithinWatermark("lid")
  }

  for (how <- Seq("inner", "left_outer"))
    gives(s"a join with a third stream, $how", outer) { (joined, _, right) =>
      val third = timed(right, "t").where("tid % 3 = 0")
      joined
        .drop("rts")
        .join(third, expr("lk = tk and tts between lts - interval 1 second and lts + interval 2 seconds"), how)
    }

  gives("a third stream joined with the join, whose rows are the right ones", outer) { (joined, left, _) =>
    val third = timed(left, "t").where("tid % 3 = 0")
    third.join(
      joined.drop("rts"),
      expr("lk = tk and lts between tts - interval 1 second and tts + interval 2 seconds"),
      "inner"
    )
  }

  for (how <- Seq("inner", "left_outer"))
    gives(s"a join with a static table, $how", outer) { (joined, _, _) =>
      joined.join(spark.range(0, Keys / 2).selectExpr("cast(id as int) as lk", "id * 10 as told"), Seq("lk"), how)
    }

  gives("a union of two joins", outer) { (joined, left, right) =>
    joined.unionByName(outer.copy(joinType = "inner", residual = true).over(left, right))
  }

  gives("an aggregation over a union of two joins", outer) { (joined, left, right) =>
    val both = joined.unionByName(outer.copy(joinType = "inner", residual = true).over(left, right))
    both.groupBy(window(col("lts"), "10 seconds")).agg(count(lit(1)), sum("lid"))
  }

  private def gives(name: String, join: JoinCase)(after: StreamRun.After): Unit =
    test(s"the same as after Spark's join: $name") {
      val (ours, sparks) = (run(join, isShed = true, after), run(join, isShed = false, after))
      assert(ours.map(_.id) == sparks.map(_.id) && ours.exists(_.rows.nonEmpty))
      ours.zip(sparks).foreach { case (our, its) =>
        assert(our.sorted == its.sorted, s": batch ${our.id}")
        assert(our.metrics("numRowsTotal") == its.metrics("numRowsTotal"), s": batch ${our.id}")
      }
    }

  private def run(join: JoinCase, isShed: Boolean, after: StreamRun.After): Vector[BatchResult] =
    withFolder { folder =>
      val of = history(join)
      val stream = new StreamRun(spark, of, isShed, folder, after = after)
      try {
        stream.start()
        of.batches.foreach(batch => stream.add(batch).settle())
        stream.results
      } finally stream.stop()
    }
}

object AfterJoinSuite {
  private val Keys = 60
  private val RowsASide = 300

  private val outer = ManyRows.join

  /** An update of what was emitted is for inner joins only. */
  private def mode(update: Boolean): JoinCase = if (update) outer.copy(joinType = "inner", updateMode = true) else outer

  private def timed(events: Dataset[Event], prefix: String): DataFrame =
    events
      .withWatermark("ts", "3 seconds")
      .selectExpr(Seq("id", "k", "ts").map(name => s"$name as $prefix$name"): _*)

  private def history(join: JoinCase): History = ManyRows.history(join, batches = 4, RowsASide, Keys)
}
