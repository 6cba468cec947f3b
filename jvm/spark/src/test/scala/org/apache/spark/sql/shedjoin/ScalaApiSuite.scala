package org.apache.spark.sql.shedjoin

import java.time.Duration

import shedjoin.spark.{ShedJoin => Api, Within}

import org.apache.spark.sql.functions.col
import org.apache.spark.sql.shedjoin.conf.{AskedBy, ShedJoinOptions}
import org.apache.spark.sql.shedjoin.exec.ShedJoinExec

/** The Scala API, which the Python one mirrors. */
class ScalaApiSuite extends Sessions {
  private val minute = Duration.ofMinutes(1)

  test("a join by call has the columns of Spark's join on names, and goes before a hint") {
    for (how <- Seq("inner", "left", "right", "full_outer", "left_semi"); within <- Seq(None, Some(Within(minute)))) {
      val (left, right) = (stream("1").withColumnRenamed("k1", "k"), stream("2").withColumnRenamed("k2", "k"))
      val joined = Api.join(left, right, "k", within, how, memory = Some("64mb"), name = Some("bids"))
      assert(joined.columns.toSeq == left.join(right, Seq("k"), how).columns.toSeq)
      val hinted = joined.hint("shed_join", "memory=1mb").select(joined.columns.map(col).toSeq: _*)
      if (within.nonEmpty || how == "inner") {
        val plan = planned(hinted)
        assert(shedJoins(plan) == Seq(ShedJoinOptions(Some(64L << 20), "fail", Some("bids"), AskedBy.Call)))
        val join = plan.collectFirst { case join: ShedJoinExec => join }.get
        assert(join.stateWatermarkPredicates.left.nonEmpty == within.nonEmpty)
      }
    }
  }

  test("bounds may differ, and may name the event-time columns") {
    val named = Within(minute, Duration.ZERO, Some("t1"), Some("t2"))
    val (left, right) = (stream("1").withColumnRenamed("k1", "k"), stream("2").withColumnRenamed("k2", "k"))
    left.join(right, "k")
    assert(shedJoins(Api.join(left, right, Seq("k"), Some(named))).size == 1)
  }

  test("a stream can be joined with itself") {
    val one = stream("1")
    val joined = Api.join(one, one, Seq("k1"), Some(Within(minute)))
    assert(joined.columns.toSeq == Seq("k1", "s1", "t1", "s1", "t1"))
    assert(shedJoins(joined.toDF("k", "s", "t", "s2", "t2").select("k", "s", "s2")).size == 1)
  }

  test("conditions keep the columns of both sides, with or without bounds") {
    for (within <- Seq(None, Some(Within("1 minute")))) {
      val (left, right) = (stream("1"), stream("2"))
      val joined = Api.join(left, right, col("k1") === col("k2"), within, memory = Some("64mb"))
      assert(joined.columns.toSeq == left.columns.toSeq ++ right.columns.toSeq)
      val join = planned(joined).collectFirst { case join: ShedJoinExec => join }.get
      assert(join.options.memory.contains(64L << 20))
      assert(join.stateWatermarkPredicates.left.nonEmpty == within.nonEmpty)
    }
  }

  test("spans are written as Spark writes them, and what is none is refused") {
    assert(Within("1 hour 30 seconds") == Within(Duration.ofSeconds(3630)))
    assert(Within("-5 seconds", "1 day") == Within(Duration.ofSeconds(-5), Duration.ofDays(1)))
    val allowed = "allowed is a span of a fixed length such as '10 minutes', in microseconds to weeks. Correct it."
    for (none <- Seq("soon", "2 months", ""))
      assert(
        errorOf(Within(none)) == s"[SHEDJOIN_INVALID_OPTION] The argument within of shedjoin.join is '$none'; $allowed"
      )
    assert(
      errorOf(
        Within("1 second", "-2 seconds")
      ) == "[SHEDJOIN_INVALID_OPTION] The argument within of shedjoin.join is " +
        "(PT1S, PT-2S); allowed is an interval that is not empty. Correct it."
    )
  }

  test("an argument that means nothing is refused as an option is") {
    assert(
      errorOf(planned(Api.join(stream("1"), stream("2"), col("k1") === col("k2"), onPressure = Some("explode"))))
        .contains("[SHEDJOIN_INVALID_OPTION]")
    )
  }

  test("within without a watermark says what to do") {
    assert(
      errorOf(Api.join(untimed("1"), untimed("1"), Seq("k1"), Some(Within(minute)))) ==
        "[SHEDJOIN_INVALID_OPTION] The argument within of shedjoin.join needs one event-time column a side, but on one " +
        "side no column has a watermark. Call withWatermark on that side, or name the column in within."
    )
  }

  test("check passes in a session that has the extension, and says which jar and Spark met") {
    Api.check(spark)
    val installed = ShedJoinInstallation.of(spark)
    assert(installed.active && installed.problem.isEmpty)
    assert(
      installed
        .copy(runningSpark = "4.1.3")
        .problem
        .get
        .getMessage == "[SHEDJOIN_NOT_LOADED] This ShedJoin jar is for " +
        "Spark 4.2, but Spark 4.1.3 runs. Use the jar whose name carries your version."
    )
    assert(
      installed.copy(active = false).problem.get.getMessage == "[SHEDJOIN_NOT_LOADED] This Spark session was started " +
        "without the ShedJoin extension, so Spark would run its own join, without a cap. Start the session with the " +
        "jar on the class path of the driver (--jars), or with " +
        "spark.sql.extensions=org.apache.spark.sql.shedjoin.ShedJoinExtensions."
    )
  }
}
