package org.apache.spark.sql.shedjoin

import java.nio.file.Path

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.functions.expr
import org.apache.spark.sql.shedjoin.conf.{ShedJoinOptions, ShedJoinRegistry}

/** What a checkpoint means to a query that starts again. */
class RestartSuite extends Sessions {
  private val key = ShedJoinRegistry.confKey("enabled")

  private var written = Map.empty[String, Seq[String]].withDefaultValue(Nil)

  private def rows(run: String): Seq[String] = written(run).sorted

  /** Two sources and the join of them, which any number of runs may share. */
  final private class Joined {
    val (left, right) = (newSource(), newSource())
    val frame: DataFrame = untimed("1", left).join(untimed("2", right), expr("k1 = k2")).select("s1", "s2")
  }

  private def run(frame: DataFrame, name: String, checkpoint: Path): Seq[ShedJoinOptions] = {
    val query = frame.writeStream
      .option("checkpointLocation", checkpoint.toString)
      .foreachBatch { (batch: DataFrame, _: Long) =>
        written = written.updated(name, written(name) ++ batch.collect().map(_.toString))
      }
      .start()
    try {
      query.processAllAvailable()
      shedJoins(executed(query))
    } finally query.stop()
  }

  test("a query asked for by hint goes on from its checkpoint") {
    val (joined, checkpoint) = (new Joined, newFolder())
    joined.left.addData((1, 10L), (2, 20L))
    assert(run(joined.frame.hint("shed_join", "name=a"), "restart1", checkpoint).map(_.name) == Seq(Some("a")))
    joined.right.addData((1, 11L), (3, 31L))
    assert(run(joined.frame.hint("shed_join", "name=b"), "restart2", checkpoint).map(_.name) == Seq(Some("b")))
    assert(rows("restart2") == Seq("[10,11]"))
  }

  test("the conf is read anew at each start") {
    val (joined, checkpoint) = (new Joined, newFolder())
    set("enabled", "true")
    joined.left.addData((1, 10L))
    assert(run(joined.frame, "conf1", checkpoint).map(_.memory) == Seq(None))
    set("memory", "8mb")
    joined.right.addData((1, 11L))
    assert(run(joined.frame, "conf2", checkpoint).map(_.memory) == Seq(Some(8L * 1024 * 1024)))
    assert(rows("conf2") == Seq("[10,11]"))
  }

  for (
    format <- Seq(
      "hdfs" -> Nil,
      "rocksdb with column families" -> Seq(
        "spark.sql.streaming.stateStore.providerClass" ->
          "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider",
        "spark.sql.streaming.join.stateFormatVersion" -> "3"
      )
    )
  )
    test(s"a checkpoint of Spark's own join is refused with the two ways out, ${format._1}") {
      val (joined, checkpoint) = (new Joined, newFolder())
      joined.left.addData((1, 10L))
      format._2.foreach { case (k, v) => spark.conf.set(k, v) }
      try assert(run(joined.frame, s"sparks${format._2.size}", checkpoint).isEmpty)
      finally format._2.foreach { case (k, _) => spark.conf.unset(k) }
      set("enabled", "true")
      joined.left.addData((2, 10L))
      assert(
        errorOf(run(joined.frame, s"shed${format._2.size}", checkpoint)) ==
          s"[SHEDJOIN_CHECKPOINT_OF_OTHER_JOIN] The checkpoint file:$checkpoint holds the state of Spark's own " +
          "stream-stream join, but this query now runs that join as ShedJoin; neither can read the state of the " +
          "other. Start the query with a new checkpoint location, or leave the join to Spark: " +
          s"set $key to false, and use neither hint nor shedjoin.join."
      )
      spark.conf.unset(key)
    }

  test("a checkpoint of ShedJoin is refused by Spark's join with the two ways out") {
    val (joined, checkpoint) = (new Joined, newFolder())
    joined.left.addData((1, 10L))
    assert(run(joined.frame.hint("shed_join"), "other1", checkpoint).size == 1)
    joined.left.addData((2, 20L))
    assert(
      errorOf(run(joined.frame, "other2", checkpoint)) ==
        s"[SHEDJOIN_CHECKPOINT_OF_OTHER_JOIN] The checkpoint file:$checkpoint holds the state of ShedJoin, but this " +
        "query now runs that join as Spark's own stream-stream join; neither can read the state of the other. Start " +
        s"the query with a new checkpoint location, or ask for ShedJoin again: set $key to true, or use the hint or " +
        "shedjoin.join."
    )
    joined.right.addData((1, 11L))
    assert(run(joined.frame.hint("shed_join"), "other3", checkpoint).size == 1)
    assert(rows("other3") == Seq("[10,11]"))
  }
}
