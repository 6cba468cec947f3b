package org.apache.spark.sql.shedjoin

import java.io.{DataInputStream, File, FileInputStream}
import java.util.concurrent.ConcurrentHashMap

import scala.jdk.CollectionConverters._

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.execution.streaming.runtime.{MemoryStream, MicroBatchExecution, StreamingQueryWrapper}
import org.apache.spark.sql.functions.{col, count, expr, window}
import org.apache.spark.sql.shedjoin.exec.ShedJoinExec
import org.apache.spark.sql.streaming.{StateOperatorProgress, StreamingQuery, StreamingQueryException}

/** A join of ours beside other stateful operators, and beside other queries. */
class NeighboursSuite extends AnyFunSuite with LocalSpark {
  import NeighboursSuite._

  private val within = "lk = rk and rts >= lts - interval 5 seconds and rts <= lts + interval 5 seconds"

  test("an aggregation of joined rows keeps its own provider and metrics") {
    assertNeighbours(2) { case Seq(left, right) =>
      side("l", left).join(side("r", right), expr("lk = rk and lwin = rwin")).groupBy(col("lwin")).agg(count("*"))
    }
  }

  test("rows without duplicates can be joined, and joined rows deduplicated") {
    assertNeighbours(2) { case Seq(left, right) =>
      timed("l", left).dropDuplicates("lk", "lts").join(timed("r", right), expr(within), "left_outer")
    }
    assertNeighbours(2) { case Seq(left, right) =>
      side("l", left)
        .join(side("r", right), expr("lk = rk and lwin = rwin"), "left_outer")
        .select("lk", "lwin")
        .dropDuplicates("lk", "lwin")
    }
  }

  test("two chained joins give what Spark's two give") {
    assertNeighbours(3) { case Seq(a, b, c) =>
      val first = side("l", a)
        .join(side("r", b), expr("lk = rk and lwin = rwin"), "left_outer")
        .select("lid", "rid", "lk", "lwin")
      first.join(side("m", c), expr("lk = mk and lwin = mwin"), "full_outer")
    }
  }

  private val joined = (sides: Seq[DataFrame]) => timed("l", sides.head).join(timed("r", sides(1)), expr(within))

  test("two queries of the same join at once do not mix") {
    val runs = Seq.fill(2)(new Query(2, joined, isShed = true))
    try {
      runs.foreach(_.start())
      assert(runs.map(_.query.runId).distinct.size == 2)
      val batches = batchesOf(2)
      batches.foreach(runs.head.add(_))
      batches.reverse.foreach(runs(1).add(_))
      val reversed = new Query(2, joined, isShed = false)
      try {
        reversed.start()
        batches.reverse.foreach(reversed.add(_))
        assert(runs(1).rows == reversed.rows && runs.head.rows != reversed.rows)
      } finally reversed.stop()
    } finally runs.foreach(_.stop())
  }

  for {
    (what, error, changed) <- Seq[(String, String, (String, String))](
      ("key", "STATE_STORE_KEY_SCHEMA_NOT_COMPATIBLE", ("cast(lk as string) = cast(rk as string)", "lid")),
      ("row", "STATE_STORE_VALUE_SCHEMA_NOT_COMPATIBLE", ("lk = rk", "cast(lid as string) as lid"))
    )
    isShed <- Seq(false, true)
  } test(s"a changed schema of the $what is refused by ${if (isShed) "our" else "Spark's"} operator: $error") {
    val plan = (condition: String, id: String) =>
      (sides: Seq[DataFrame]) =>
        timed("l", sides.head).selectExpr(id, "lk", "lts").join(timed("r", sides(1)), expr(condition))
    val query = new Query(2, plan("lk = rk", "lid"), isShed)
    try {
      query.start()
      query.add(batchesOf(2).head)
      query.query.stop()
      val restarted = query.changed(plan(changed._1, changed._2))
      restarted.start()
      val thrown = intercept[StreamingQueryException](restarted.add(batchesOf(2)(1)))
      assert(
        Iterator.iterate[Throwable](thrown)(_.getCause).takeWhile(_ != null).exists(_.getMessage.contains(error)),
        thrown
      )
    } finally query.stop()
  }

  /** Runs the plan by Spark's join and ours; compares the rows, and looks at who keeps which state. */
  private def assertNeighbours(streams: Int)(plan: PartialFunction[Seq[DataFrame], DataFrame]): Unit = {
    val both = Seq(false, true).map(new Query(streams, plan, _))
    try {
      both.foreach(_.start())
      batchesOf(streams).foreach(batch => both.foreach(_.add(batch)))
      val Seq(sparks, ours) = both: @unchecked
      assert(ours.rows == sparks.rows && ours.rows.values.flatten.nonEmpty)
      val (joins, others) = ours.operators.zipWithIndex.partition(_._1.operatorName == ShedJoinExec.shortName)
      assert(joins.size == sparks.operators.count(_.operatorName == "symmetricHashJoin") && joins.nonEmpty)
      joins.foreach { case (operator, _) =>
        val keys = operator.customMetrics.keySet.asScala
        assert(keys.contains("shedJoinLeftRows") && !keys.exists(_.startsWith("loadedMapCache")), keys)
      }
      others.foreach { case (operator, place) =>
        val beside = sparks.operators(place)
        assert(
          operator.operatorName == beside.operatorName && operator.customMetrics.keySet == beside.customMetrics.keySet
        )
        assert(operator.numRowsTotal == beside.numRowsTotal)
      }
      assert(ours.foldersOfOurs == joins.size, ": state folders in our format")
    } finally both.foreach(_.stop())
  }

  private def batchesOf(streams: Int): Seq[Seq[Seq[Event]]] = for (batch <- 0 until 6)
    yield for (s <- 0 until streams) yield for (i <- 0 until 12) yield {
      val ms = batch * 8000L + i * 500 + s * 700
      val id = batch * 1000L + s * 100 + i
      Event(id, Event.instant(1700000000L * 1000000 + ms * 1000), Some((i * (s + 1) + batch) % 5), 0, 0, Some(i), s)
    }

  private def timed(prefix: String, events: DataFrame): DataFrame =
    events
      .selectExpr(s"id as ${prefix}id", s"k as ${prefix}k", s"ts as ${prefix}ts")
      .withWatermark(s"${prefix}ts", "3 seconds")

  private def side(prefix: String, events: DataFrame): DataFrame = timed(prefix, events)
    .select(col(s"${prefix}id"), col(s"${prefix}k"), window(col(s"${prefix}ts"), "10 seconds").as(s"${prefix}win"))

  /** A query over some streams. */
  final private class Query(
      streams: Int,
      plan: Seq[DataFrame] => DataFrame,
      isShed: Boolean,
      folder: File = java.nio.file.Files.createTempDirectory("shedjoin").toFile,
      known: Option[Seq[MemoryStream[Event]]] = None
  ) {
    import spark.implicits._
    private val sources = known.getOrElse(Seq.fill(streams)(MemoryStream[Event](spark)))
    private val output = new ConcurrentHashMap[Long, Seq[String]]
    var query: StreamingQuery = _

    def changed(other: Seq[DataFrame] => DataFrame): Query = new Query(streams, other, isShed, folder, Some(sources))

    def start(): Unit = {
      spark.conf.set("spark.shedjoin.enabled", isShed)
      val keep = (rows: DataFrame, id: Long) => {
        output.put(id, rows.collect().toSeq.map(StreamRun.text).sorted)
        ()
      }
      query =
        plan(sources.map(_.toDF())).writeStream.option("checkpointLocation", folder.getPath).foreachBatch(keep).start()
    }

    def add(batch: Seq[Seq[Event]]): Unit = {
      val execution = query.asInstanceOf[StreamingQueryWrapper].streamingQuery.asInstanceOf[MicroBatchExecution]
      execution.withProgressLocked(sources.zip(batch).foreach { case (source, rows) => source.addData(rows) })
      query.processAllAvailable()
    }

    def rows: Map[Long, Seq[String]] = output.asScala.toMap

    def operators: Seq[StateOperatorProgress] =
      query.recentProgress.filter(_.stateOperators.nonEmpty).last.stateOperators.toSeq

    /** How many of the operators' folders hold deltas that begin as ours do. */
    def foldersOfOurs: Int = new File(folder, "state").listFiles.count { operator =>
      val file = files(new File(operator, "0")).find(_.getName == "1.delta").get
      val in = new DataInputStream(new FileInputStream(file))
      try in.readLong() == Magic
      finally in.close()
    }

    def stop(): Unit = {
      if (query != null) query.stop()
      org.apache.spark.util.Utils.deleteRecursively(folder)
    }
  }
}

object NeighboursSuite {

  /** "SHEDJOIN". */
  private val Magic = 0x534845444a4f494eL

  private def files(folder: File): Seq[File] =
    folder.listFiles.toSeq.flatMap(f => if (f.isDirectory) files(f) else Seq(f))
}
