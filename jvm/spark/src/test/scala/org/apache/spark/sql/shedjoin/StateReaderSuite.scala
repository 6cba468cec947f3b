package org.apache.spark.sql.shedjoin

import java.nio.file.{Files, Path}

import shedjoin.spark.ShedJoin

import org.apache.spark.sql.execution.streaming.sources.LowLatencyMemoryStream
import org.apache.spark.sql.execution.streaming.state.OfflineStateRepartitionRunner
import org.apache.spark.sql.functions.expr
import org.apache.spark.sql.streaming.Trigger
import org.apache.spark.sql.{DataFrame, Encoders}

/** What can be read of a checkpoint of ours, and what Spark offers for its own that is refused. */
class StateReaderSuite extends Sessions {
  private val (left, right) = ((1 to 9).map(i => (i % 4, 100L + i)), (1 to 9).map(i => (i % 5, 103L + i)))

  /** Runs one query, a step after the other. */
  private def run(checkpoint: Path, frame: DataFrame)(steps: (() => Unit)*): Unit = {
    val query = start(frame, s"q${System.nanoTime}", checkpoint)
    steps.foreach { step =>
      step()
      query.processAllAvailable()
    }
    query.stop()
  }

  /** Two batches of a left outer join, of which the first rows expire. */
  private def joined(checkpoint: Path): Unit = {
    set("enabled", "true")
    val (l, r) = (newSource(), newSource())
    val condition = expr("kl = kr AND tr BETWEEN tl - INTERVAL 2 SECONDS AND tl + INTERVAL 2 SECONDS")
    val first = () => { l.addData(left: _*); r.addData(right: _*); () }
    val second = () => { l.addData((7, 116L)); r.addData((7, 116L), (8, 117L)); () }
    run(checkpoint, stream("l", l).join(stream("r", r), condition, "left_outer"))(first, second)
  }

  for (format <- Seq(1, 2); deltas <- Seq(1, 10))
    test(s"the state is read as a table: checkpoint format $format, a snapshot after $deltas deltas") {
      val checkpoint = newFolder()
      spark.conf.set("spark.sql.streaming.stateStore.checkpointFormatVersion", format)
      spark.conf.set("spark.sql.streaming.stateStore.minDeltasForSnapshot", deltas)
      try joined(checkpoint)
      finally
        Seq("checkpointFormatVersion", "minDeltasForSnapshot")
          .foreach(k => spark.conf.unset(s"spark.sql.streaming.stateStore.$k"))
      val state = ShedJoin.state(spark, checkpoint.toString)
      def sides(side: String): Seq[(Int, Long, Boolean)] = state
        .where(s"side = '$side'")
        .selectExpr(s"$side.k${side.head}", s"$side.s${side.head}", "matched")
        .collect()
        .map(r => (r.getInt(0), r.getLong(1), r.getBoolean(2)))
        .toSeq
        .sorted
      val bound = 116 - 10 - 2
      val rights = (right ++ Seq((7, 116L), (8, 117L))).filter(_._2 >= bound)
      val lefts = (left :+ ((7, 116L))).filter(_._2 >= bound).map { case (k, s) =>
        val mates = (right ++ Seq((7, 116L), (8, 117L))).filter(r => r._1 == k && math.abs(r._2 - s) <= 2)
        (k, s, mates.nonEmpty)
      }
      assert(sides("left") == lefts.sorted)
      assert(sides("right").map(r => (r._1, r._2)) == rights.sorted)
      assert(state.where("unix_seconds(event_time) != coalesce(left.sl, right.sr)").count() == 0)
      assert(state.where("key.key0 != coalesce(left.kl, right.kr)").count() == 0)
    }

  test("a checkpoint without a join, and one with two, are told apart by name") {
    val empty = newFolder().toString
    assert(
      errorOf(ShedJoin.state(spark, empty)).startsWith(s"[SHEDJOIN_NO_STATE] The checkpoint $empty holds no committed")
    )
    set("enabled", "true")
    val checkpoint = newFolder()
    val source = newSource()
    val first = stream("a", source).join(stream("b"), expr("ka = kb AND ta = tb"))
    run(checkpoint, first.drop("tb").join(stream("c"), expr("ka = kc AND ta = tc")))(() => source.addData((1, 1L)))
    assert(
      errorOf(ShedJoin.state(spark, checkpoint.toString)) ==
        s"[SHEDJOIN_WHICH_JOIN] The checkpoint $checkpoint holds the ShedJoins 0, 1, and none was asked for. " +
        "Give one of them as operator."
    )
    assert(ShedJoin.state(spark, checkpoint.toString, Some(1)).count() == 1)
  }

  test("Spark's state-metadata source lists the join") {
    val checkpoint = newFolder()
    joined(checkpoint)
    val listed = spark.read.format("state-metadata").load(checkpoint.toString)
    val row = listed.select("operatorName", "stateStoreName", "numPartitions").collect().toSeq
    assert(row.map(_.toString) == Seq("[shedJoin,default,2]"))
  }

  test("offline repartitioning is refused with our operator's name, and its batch can be taken back") {
    val checkpoint = newFolder()
    set("enabled", "true")
    val (l, r) = (newSource(), newSource())
    val frame = stream("l", l).join(stream("r", r), expr("kl = kr AND tl = tr"))
    def again(): Unit = {
      val query = frame.writeStream
        .option("checkpointLocation", checkpoint.toString)
        .foreachBatch((batch: DataFrame, _: Long) => batch.collect(): Unit)
        .start()
      try query.processAllAvailable()
      finally query.stop()
    }
    l.addData(left: _*)
    again()
    val refused = textsOf(new OfflineStateRepartitionRunner(spark, checkpoint.toString, 4).run())
    assert(refused.contains("Unsupported stateful operator shedJoin"))
    assert(textsOf(again()).contains("STREAMING_UNFINISHED_REPARTITION_DETECTED"))
    val abandoned = newestOffset(checkpoint)
    Seq(s"$abandoned", s".$abandoned.crc").foreach(f => Files.deleteIfExists(checkpoint.resolve("offsets").resolve(f)))
    r.addData(right: _*)
    again()
  }

  private def textsOf(action: => Any): String =
    Iterator.iterate(intercept[Throwable](action))(_.getCause).takeWhile(_ != null).map(_.getMessage).mkString("\n")

  private def newestOffset(checkpoint: Path): Long =
    checkpoint.resolve("offsets").toFile.list.flatMap(_.toLongOption).max

  test("the real-time trigger is refused") {
    set("enabled", "true")
    spark.conf.set("spark.sql.streaming.realTimeMode.allowlistCheck", false)
    val encoder = Encoders.scalaInt
    def ticks(column: String) = LowLatencyMemoryStream[Int](spark)(encoder).toDF().toDF(column)
    val joined = ticks("a").join(ticks("b"), expr("a = b"))
    val error = errorOf {
      val query = joined.writeStream
        .format("noop")
        .option("checkpointLocation", newFolder().toString)
        .outputMode("update")
        .trigger(Trigger.RealTime("5 seconds"))
        .start()
      query.awaitTermination(60000)
    }
    assert(error.startsWith("[SHEDJOIN_NOT_SUPPORTED] ShedJoin does not support the real-time trigger. Use"))
  }
}
