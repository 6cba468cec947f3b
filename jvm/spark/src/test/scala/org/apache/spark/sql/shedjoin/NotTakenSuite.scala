package org.apache.spark.sql.shedjoin

import org.apache.spark.sql.functions.expr
import org.apache.spark.sql.{DataFrame, Row}

/** Joins that stay Spark's, and how visibly. */
class NotTakenSuite extends Sessions {
  private def static(suffix: String): DataFrame = spark.range(3).toDF(s"k$suffix")

  private val takes =
    "ShedJoin takes inner, outer and left semi joins of two streams that have an equality between their columns. "

  test("a stream-static join stays Spark's") {
    set("enabled", "true")
    val joined = stream("1").join(static("2"), expr("k1 = k2"))
    assert(shedJoins(joined).isEmpty && planned(joined).toString.contains("BroadcastHashJoin"))
  }

  test("a stream-static join below does not hide the join of two streams") {
    val joined = stream("1").join(stream("2"), expr("k1 = k2")).join(static("3"), expr("k2 = k3"))
    assert(shedJoins(joined.hint("shed_join", "name=a")).map(_.name) == Seq(Some("a")))
    assert(shedJoins(joined).isEmpty && sparkJoins(joined) == 1)
  }

  test("a stream-static join asked for by hint is refused") {
    val error = errorOf(planned(stream("1").join(static("2"), expr("k1 = k2")).hint("shed_join")))
    assert(
      error == "[SHEDJOIN_JOIN_NOT_TAKEN] ShedJoin was asked for by hint, but a side of the join is no stream " +
        s"(left: a stream, right: static): INNER JOIN ON (CAST(k1 AS BIGINT) = k2). $takes" +
        "Change the join, or leave it to Spark by removing the hint."
    )
  }

  test("a batch join stays Spark's, in foreachBatch too") {
    set("enabled", "true")
    assert(!planned(static("1").join(static("2"), expr("k1 = k2"))).toString.contains("ShedJoin"))
    var plans = Seq.empty[String]
    val source = newSource()
    source.addData((1, 10L))
    val query = stream("1", source).writeStream
      .foreachBatch { (batch: DataFrame, _: Long) =>
        val joined = batch.join(static("2"), expr("k1 = k2"))
        plans = plans :+ joined.queryExecution.executedPlan.toString
        assert(joined.collect().length == 1 || batch.isEmpty)
        ()
      }
      .start()
    query.processAllAvailable()
    assert(plans.nonEmpty && !plans.exists(_.contains("ShedJoin")))
  }

  test("a join without an equality is refused where it was asked for by name") {
    val range = stream("1").join(stream("2"), expr("t1 < t2"))
    for ((hint, way) <- Seq("shed_join" -> "hint", "shed_join_call" -> "call")) {
      val error = errorOf(planned(range.hint(hint)))
      assert(
        error == s"[SHEDJOIN_JOIN_NOT_TAKEN] ShedJoin was asked for by $way, but the join has no equality between " +
          s"columns of its sides: INNER JOIN ON (t1 < t2). ${takes}Change the join, or leave it to Spark by " +
          s"removing the $way."
      )
    }
  }

  test("a join without an equality is left to Spark, which refuses it, where the conf asked") {
    set("enabled", "true")
    val error =
      intercept[org.apache.spark.sql.AnalysisException](planned(stream("1").join(stream("2"), expr("t1 < t2"))))
    assert(error.getMessage.contains("Stream-stream join without equality predicate is not supported"))
  }

  test("a hint with no join anywhere is dropped") {
    assert(static("1").hint("shed_join", "memory=1mb").collect().toSeq == Seq(Row(0), Row(1), Row(2)))
    assert(!planned(stream("1").hint("shed_join")).toString.contains("ShedJoin"))
  }
}
