package org.apache.spark.sql.shedjoin

import org.apache.spark.sql.Row
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.classic.Dataset
import org.apache.spark.sql.execution.FilterExec
import org.apache.spark.sql.functions.{col, expr, lit, udf}
import org.apache.spark.sql.shedjoin.exec.ShedJoinExec
import org.apache.spark.sql.shedjoin.plan.{JoinMark, RewriteJoins, ShedJoin, ShedJoinStrategy}

/** What the optimizer, other extensions and users may do to a plan without a join getting lost. */
class RobustnessSuite extends Sessions {
  private object UsersRule extends Rule[LogicalPlan] {
    override def apply(plan: LogicalPlan): LogicalPlan = plan
  }

  private def marks(expressions: Seq[Expression]): Int = expressions.map(_.collect { case m: JoinMark => m }.size).sum

  test("no mark is left in any plan that runs, however constraints copied it") {
    def side(n: String) = untimed(s"${n}1").join(untimed(s"${n}2"), expr(s"k${n}1 = k${n}2 AND s${n}1 = s${n}2"))
    val joined =
      side("a").hint("shed_join", "name=inner").join(side("b"), expr("ka1 = kb1 AND ka2 = kb2")).where("ka1 = 3")
    val plan = planned(joined)
    assert(shedJoins(plan).map(_.name) == Seq(Some("inner")) && sparkJoins(plan) == 2)
    plan.foreach(node => assert(marks(node.expressions) == 0, node))
  }

  test("a mark that constraint propagation copies into another join does not take that join") {
    val ab = untimed("a").join(untimed("b"), expr("ka = kb"))
    val cd = untimed("c").join(untimed("d"), expr("kc = kd"))
    val joined = ab.hint("shed_join", "name=ab").join(cd, expr("ka = kc AND kb = kd"))
    val plan = planned(joined)
    val taken = plan.collect { case join: ShedJoinExec => join }
    assert(taken.map(_.options.name) == Seq(Some("ab")) && sparkJoins(plan) == 2)
    assert(taken.head.left.output.map(_.name).contains("ka"))
  }

  test("a key that is a constant keeps its mark") {
    val constant = untimed("1").withColumn("k1", lit(1))
    val joined = constant.join(untimed("2"), expr("k1 = k2 AND s1 = s2"))
    assert(shedJoins(joined.hint("shed_join", "name=a")).map(_.name) == Seq(Some("a")))
  }

  test("three streams in one FROM keep their hint") {
    Seq("1", "2", "3").foreach(n => untimed(n).createOrReplaceTempView(s"v$n"))
    val sql = "SELECT /*+ SHED_JOIN('name=top') */ s1, s2, s3 FROM v1, v2, v3 WHERE k1 = k3 AND k2 = k3"
    assert(shedJoins(spark.sql(sql)).map(_.name) == Seq(Some("top")))
  }

  test("a left semi join that is pushed down keeps its hint") {
    val both = stream("1").union(stream("3").toDF("k1", "s1", "t1"))
    for (left <- Seq(both, stream("1").where("s1 > 3").select("s1", "k1"))) {
      val semi = left.join(untimed("2"), expr("k1 = k2"), "leftsemi").hint("shed_join", "name=semi")
      assert(shedJoins(semi).forall(_.name.contains("semi")) && shedJoins(semi).nonEmpty && sparkJoins(semi) == 0)
    }
  }

  test("a condition over both sides that must run above the join is taken") {
    val f = udf((a: Long, b: Long) => a <= b)
    val joined = stream("1").join(stream("2"), expr("k1 = k2") && f(col("s1"), col("s2")))
    assert(shedJoins(joined.hint("shed_join", "name=a")).map(_.name) == Seq(Some("a")))
  }

  test("filters and pruned columns go below the join") {
    val joined = stream("1").join(stream("2"), expr("k1 = k2")).where("s1 > 3").select("s1").hint("shed_join")
    val join = planned(joined).collectFirst { case join: ShedJoinExec => join }.get
    assert(join.right.output.map(_.name) == Seq("k2") && join.left.exists(_.isInstanceOf[FilterExec]))
  }

  test("the rule comes back, and comes last, when users set their own optimizers") {
    set("enabled", "true")
    for (rules <- Seq(Nil, Seq(UsersRule), Seq(RewriteJoins, UsersRule))) {
      spark.experimental.extraOptimizations = rules
      assert(shedJoins(stream("1").join(stream("2"), expr("k1 = k2"))).size == 1)
      assert(spark.experimental.extraOptimizations == rules.filterNot(_ == RewriteJoins) :+ RewriteJoins)
    }
    spark.experimental.extraOptimizations = Nil
  }

  test("a query that was made before users set their optimizers is still taken when it starts") {
    set("enabled", "true")
    val source = newSource()
    val joined = stream("1", source).join(stream("2"), expr("k1 = k2"))
    spark.experimental.extraOptimizations = Nil
    val query = start(joined, "late")
    source.addData((1, 1L))
    query.processAllAvailable()
    assert(shedJoins(executed(query)).size == 1)
  }

  test("the logical node is, for all else, the join it stands for") {
    set("enabled", "true")
    for (how <- Seq("inner", "left", "right", "full", "leftsemi")) {
      val within = expr("k1 = k2 AND t1 BETWEEN t2 - INTERVAL 1 MINUTE AND t2 + INTERVAL 1 MINUTE")
      val frame = stream("1").join(stream("2"), within, how).asInstanceOf[Dataset[Row]]
      val node = optimized(frame).collectFirst { case shed: ShedJoin => shed }.get
      val join: Join = node.asJoin
      assert(node.output == join.output && node.constraints == join.constraints && node.isStreaming && node.resolved)
      assert(node.output.map(_.metadata) == join.output.map(_.metadata))
      assert(planned(frame).output.map(_.nullable) == frame.queryExecution.analyzed.output.map(_.nullable))
    }
  }

  test("the extension acts once though both conf and service file name it") {
    val strategies = spark.sessionState.planner.strategies.count(_ == ShedJoinStrategy)
    assert(strategies == 1)
  }

  test("unsupported queries are refused as Spark refuses them") {
    set("enabled", "true")
    val outer = untimed("1").join(untimed("2"), expr("k1 = k2"), "left")
    val error = intercept[org.apache.spark.sql.AnalysisException](start(outer, "outer"))
    assert(error.getMessage.contains("watermark"))
  }
}
