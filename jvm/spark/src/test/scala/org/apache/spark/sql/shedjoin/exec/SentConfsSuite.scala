package org.apache.spark.sql.shedjoin.exec

import org.apache.hadoop.conf.Configuration

import org.apache.spark.broadcast.Broadcast
import org.apache.spark.sql.execution.streaming.runtime.StreamExecution
import org.apache.spark.sql.functions.expr
import org.apache.spark.sql.internal.SessionState
import org.apache.spark.sql.shedjoin.Sessions
import org.apache.spark.sql.shedjoin.store.ShedStateStoreProvider
import org.apache.spark.sql.streaming.StreamingQuery
import org.apache.spark.util.SerializableConfiguration

class SentConfsSuite extends Sessions {

  test("a conf is sent again only when an entry of it is another") {
    def conf(entries: (String, String)*) = {
      val made = new Configuration(false)
      entries.foreach { case (key, value) => made.set(key, value) }
      made
    }
    def sent(conf: Configuration) = SentConfs.of(spark, conf)
    val one = sent(conf("a" -> "1", "b" -> "2"))
    assert(sent(conf("b" -> "2", "a" -> "1")).id == one.id)
    val others = Seq(conf("a" -> "1", "b" -> "3"), conf("a" -> "1"), conf("a" -> "1", "b" -> "2", "c" -> "3"))
    val ids = one.id +: others.map(sent(_).id)
    assert(ids.distinct.size == ids.size)
    assert(sent(others.last).value.value.get("c") == "3")
  }

  test("a query sends its conf once, and again when the context's was changed") {
    set("enabled", "true")
    val source = newSource()
    val query = start(stream("1", source).join(stream("2"), expr("k1 = k2")), "sent")
    def sentAfterBatch(n: Int): Long = {
      source.addData((n, n.toLong))
      query.processAllAvailable()
      sentBy(query)
    }
    val first = sentAfterBatch(1)
    assert(sentAfterBatch(2) == first)
    spark.sparkContext.hadoopConfiguration.set("shedjoin.test", "changed")
    assert(sentAfterBatch(3) != first)
  }

  test(
    "tasks leave nothing in the conf that all of them read: neither their query's run nor their share of the memory"
  ) {
    set("enabled", "true")
    set("memory", "64mb")
    val source = newSource()
    val query = start(stream("1", source).join(stream("2"), expr("k1 = k2")), "shared")
    source.addData((1, 1L))
    query.processAllAvailable()
    val shared = sent(query).value.value
    assert(shared.size > 0)
    Seq(StreamExecution.RUN_ID_KEY, ShedStateStoreProvider.BudgetKey).foreach(key =>
      assert(shared.get(key) == null, key)
    )
  }

  private def sentBy(query: StreamingQuery): Long = sent(query).id

  /** What the last batch sent. */
  private def sent(query: StreamingQuery): Broadcast[SerializableConfiguration] = {
    val join = executed(query).collectFirst { case join: ShedJoinExec => join }.get
    SentConfs.of(join.session, SessionState.newHadoopConf(spark.sparkContext.hadoopConfiguration, join.conf))
  }
}
