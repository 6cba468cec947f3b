package org.apache.spark.sql.shedjoin

import org.apache.spark.sql.functions.{col, expr}
import org.apache.spark.sql.shedjoin.conf.{AskedBy, ShedJoinOptions}
import org.apache.spark.sql.shedjoin.exec.{OperatorConfs, ShedJoinExec}

/** How a join is asked for, and which options hold then. */
class PlanningSuite extends Sessions {
  private val mb = 1024L * 1024

  test("without flag, hint or call a join stays Spark's") {
    val joined = stream("1").join(stream("2"), expr("k1 = k2"))
    assert(shedJoins(joined).isEmpty && sparkJoins(joined) == 1)
  }

  test("the session conf takes every join of two streams") {
    set("enabled", "true")
    set("memory", "64mb")
    val joined = untimed("1").join(untimed("2"), expr("k1 = k2")).join(untimed("3"), expr("k2 = k3"))
    val options = ShedJoinOptions(Some(64 * mb), "fail", None, AskedBy.Conf)
    assert(shedJoins(joined) == Seq(options, options) && sparkJoins(joined) == 0)
  }

  test("a hint on a DataFrame takes the join nearest below it") {
    val joined = untimed("1").join(untimed("2"), expr("k1 = k2")).join(untimed("3"), expr("k2 = k3"))
    val hinted = joined.where("s1 > 2").select("k1", "s3").hint("shed_join", "memory=64mb", "name=bids")
    assert(shedJoins(hinted) == Seq(ShedJoinOptions(Some(64 * mb), "fail", Some("bids"), AskedBy.Hint)))
    assert(sparkJoins(hinted) == 1)
  }

  test("a hint on a DataFrame without a join takes the join that it goes into") {
    val hinted = stream("1").hint("shed_join", "memory=1mb").where("s1 > 2").join(stream("2"), expr("k1 = k2"))
    assert(shedJoins(hinted).map(_.memory) == Seq(Some(mb)))
  }

  test("a hint in SQL takes the join of its query") {
    stream("1").createOrReplaceTempView("a")
    stream("2").createOrReplaceTempView("b")
    val explicit = spark.sql("SELECT /*+ SHED_JOIN('memory=2m') */ s1, s2 FROM a JOIN b ON k1 = k2")
    val implicitly = spark.sql("SELECT /*+ shed_join('memory=2m', 'onPressure=fail') */ s1 FROM a, b WHERE k1 = k2")
    val counted = spark.sql(
      "SELECT /*+ SHED_JOIN */ window(t1, '1 hour') w, count(*) FROM a JOIN b ON k1 = k2 AND t1 = t2 GROUP BY 1"
    )
    val nested =
      spark.sql("WITH j AS (SELECT * FROM a JOIN b ON k1 = k2) SELECT /*+ SHED_JOIN('memory=2m') */ s1 FROM j")
    assert(shedJoins(explicit).map(_.memory) == Seq(Some(2 * mb)))
    assert(shedJoins(implicitly).map(_.memory) == Seq(Some(2 * mb)))
    assert(shedJoins(counted).map(_.memory) == Seq(None))
    assert(shedJoins(nested).map(_.memory) == Seq(Some(2 * mb)))
  }

  test("call goes before hint, hint before conf, conf before default, each option by itself") {
    set("enabled", "true")
    set("memory", "1mb")
    def joined = stream("1").join(stream("2"), expr("k1 = k2"))
    val called = joined.hint("shed_join_call", "name=called")
    val both = called.hint("shed_join", "memory=2mb", "name=hinted")
    val all = joined.hint("shed_join", "memory=2mb", "name=hinted").hint("shed_join_call", "memory=3mb")
    def held(options: ShedJoinOptions) = (options.memory.map(_ / mb), options.name, options.askedBy)
    assert(shedJoins(joined).map(held) == Seq((Some(1), None, AskedBy.Conf)))
    assert(shedJoins(called).map(held) == Seq((Some(1), Some("called"), AskedBy.Call)))
    assert(shedJoins(both).map(held) == Seq((Some(2), Some("called"), AskedBy.Call)))
    assert(shedJoins(all).map(held) == Seq((Some(3), Some("hinted"), AskedBy.Call)))
  }

  test("of two hints the one nearer to the join wins") {
    val hinted = stream("1")
      .join(stream("2"), expr("k1 = k2"))
      .hint("shed_join", "memory=1mb")
      .hint("shed_join", "memory=2mb", "name=far")
    assert(shedJoins(hinted).map(o => (o.memory, o.name)) == Seq((Some(mb), Some("far"))))
  }

  test("a hint can leave one join to Spark") {
    set("enabled", "true")
    val hinted = stream("1").join(stream("2"), expr("k1 = k2")).hint("shed_join", "enabled=false")
    assert(shedJoins(hinted).isEmpty && sparkJoins(hinted) == 1)
  }

  test("every join type of Spark's stream-stream join is taken") {
    set("enabled", "true")
    for (how <- Seq("inner", "left", "right", "full", "leftsemi")) {
      val within = expr("k1 = k2 AND t1 BETWEEN t2 - INTERVAL 1 MINUTE AND t2 + INTERVAL 1 MINUTE")
      val joined = stream("1").join(stream("2"), within, how)
      assert(shedJoins(joined).size == 1, how)
    }
  }

  test("explain shows ShedJoin with its options") {
    val joined = stream("1").join(stream("2"), expr("k1 = k2")).hint("shed_join", "memory=64mb", "name=bids")
    val line = planned(joined).toString.linesIterator.find(_.contains("ShedJoin")).get
    assert(line.contains("ShedJoin [name=bids, memory=67108864 bytes, onPressure=fail, askedBy=hint], [k1#"), line)
    val formatted = planned(joined).collectFirst { case join: ShedJoinExec => join.verboseStringWithOperatorId() }
    assert(formatted.get.endsWith("Options: [name=bids, memory=67108864 bytes, onPressure=fail, askedBy=hint]\n"))
  }

  test("operators that differ in their options only are not equal") {
    def of(memory: String) =
      planned(stream("1").join(stream("2"), expr("k1 = k2")).hint("shed_join", memory)).collectFirst {
        case join: ShedJoinExec => join
      }.get
    val one = of("memory=1mb")
    val other = new ShedJoinExec(
      one.leftKeys,
      one.rightKeys,
      one.joinType,
      one.condition,
      one.stateInfo,
      one.eventTimeWatermarkForLateEvents,
      one.eventTimeWatermarkForEviction,
      one.stateWatermarkPredicates,
      one.stateFormatVersion,
      one.left,
      one.right,
      one.outputMode,
      one.options.copy(memory = None),
      new OperatorConfs
    )
    assert(one == one.copy() && one.copy().options == one.options && one != other)
    assert(one.withNewChildren(Seq(one.right, one.left)).asInstanceOf[ShedJoinExec].options == one.options)
  }

  test("a self-join of one source is taken") {
    set("enabled", "true")
    val source = newSource()
    val one = stream("1", source)
    val joined = one.as("a").join(one.as("b"), expr("a.k1 = b.k1")).select(col("a.s1"), col("b.s1").as("s2"))
    source.addData((1, 10L), (2, 20L))
    val query = start(joined, "selfjoined")
    query.processAllAvailable()
    assert(shedJoins(executed(query)).size == 1)
    assert(spark.table("selfjoined").collect().map(_.toString).sorted.toSeq == Seq("[10,10]", "[20,20]"))
  }

  test("a Dataset that holds a hinted join can be joined with itself") {
    val hinted = untimed("1").join(untimed("2"), expr("k1 = k2")).hint("shed_join", "name=once")
    val twice = hinted.as("a").join(hinted.as("b"), expr("a.k1 = b.k2"))
    assert(shedJoins(twice).map(_.name) == Seq(Some("once"), Some("once")) && sparkJoins(twice) == 1)
    assert(shedJoins(hinted.union(hinted)).map(_.name) == Seq(Some("once"), Some("once")))
  }
}
