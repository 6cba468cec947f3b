package org.apache.spark.sql.shedjoin

import java.util.concurrent.CountDownLatch

import scala.jdk.CollectionConverters._
import scala.util.Try

import org.apache.spark.TaskContext
import org.apache.spark.sql.{DataFrame, Encoder, Encoders, Row}

/** Something that is done with the rows of a batch in `foreachBatch`.
  *
  * @param isWhole
  *   whether it reads every row, so that nothing need be done after it
  * @param does
  *   gives what is to be the same whichever operator made the rows
  */
final case class BatchUse(name: String, isWhole: Boolean, does: DataFrame => Seq[String])

object BatchUses {

  /** Uses that do not read all rows: Spark needs an action over all of them after these. */
  val partial: Seq[BatchUse] = Seq(
    part("limit")(rows => Seq(s"${rows.limit(10).collect().length}")),
    part("take, head and isEmpty")(rows => Seq(s"${rows.take(3).length} ${rows.head(1).length} ${rows.isEmpty}")),
    part("toLocalIterator, partly consumed")(rows => Seq(s"${rows.toLocalIterator().asScala.take(5).size}")),
    part("a function of partitions that stops early")(rows => Seq(s"${mapped(rows)(_.take(5)).count()}")),
    part("a function of partitions that fails")(rows => Seq(outcome(mapped(rows)(_.map(failing())).count()))),
    part("TRANSFORM")(rows => closedEarly(transformed(rows, _))),
    part("pipe")(rows => closedEarly(rows.rdd.map(_.toString).pipe(_).count())),
    part("a cancelled job")(rows => Seq(new CancelledJob(rows, isInterrupted = false).run())),
    part("a cancelled job whose threads are interrupted")(rows =>
      Seq(new CancelledJob(rows, isInterrupted = true).run())
    )
  )

  /** Uses that read all rows, many of them more than once. */
  val whole: Seq[BatchUse] = Seq(
    all("actions one after another")(rows => totals(rows) ++ texts(rows)),
    all("actions at once")(rows => atOnce(Seq.fill(6)(() => texts(rows)))),
    all("TRANSFORM of every row")(rows => transformed(rows, "cat")),
    all("pipe of every row")(rows => rows.rdd.map(_.toString).pipe("cat").collect().toSeq.sorted),
    all("cache")(rows => kept(rows.persist())),
    all("localCheckpoint")(rows => kept(rows.localCheckpoint())),
    all("a lazy localCheckpoint")(rows => kept(rows.localCheckpoint(eager = false))),
    all("checkpoint")(rows => kept(rows.checkpoint())),
    all("sorting")(rows => rows.sort(rows.columns.map(rows.col).toSeq: _*).collect().map(StreamRun.text).toSeq),
    all("randomSplit")(rows => rows.randomSplit(Array(0.3, 0.7), 5).toSeq.flatMap(texts)),
    all("a union with itself")(rows => texts(rows.union(rows))),
    all("intersect and except")(rows =>
      texts(rows.intersect(rows.where("lid % 4 = 0"))) ++ texts(rows.exceptAll(rows.where("lid % 3 = 0")))
    ),
    all("a join with itself on the key")(rows => Seq(s"${selfJoin(rows, "inner").count()}")),
    all("a join with its own counts")(rows => texts(rows.join(rows.groupBy("lk").count(), "lk"))),
    all("a semi and an anti join with itself")(rows =>
      texts(selfJoin(rows, "left_semi")) ++ texts(selfJoin(rows, "left_anti"))
    )
  )

  private def part(name: String)(does: DataFrame => Seq[String]) = BatchUse(name, isWhole = false, does)

  private def all(name: String)(does: DataFrame => Seq[String]) = BatchUse(name, isWhole = true, does)

  private def texts(rows: DataFrame): Seq[String] = rows.collect().map(StreamRun.text).toSeq.sorted

  private def totals(rows: DataFrame): Seq[String] =
    Seq(s"${rows.count()}", s"${rows.selectExpr("sum(lid)", "sum(rid)", "count(distinct lk)").head()}")

  private def kept(rows: DataFrame): Seq[String] =
    try totals(rows) ++ texts(rows)
    finally { rows.unpersist(); () }

  private def mapped(rows: DataFrame)(f: Iterator[Row] => Iterator[Row]): DataFrame = {
    implicit val encoder: Encoder[Row] = Encoders.row(rows.schema)
    rows.mapPartitions(f)
  }

  private def failing(): Row => Row = {
    var seen = 0
    row => {
      seen += 1
      if (seen == 100) throw new IllegalStateException("the hundredth row of a partition")
      row
    }
  }

  /** What an action gives, or the kind of its error: a small batch may be over before it comes. */
  private def outcome(action: => Any): String = Try(action).fold(_.getClass.getSimpleName, _.toString)

  /** Programs that close their input: what these give, rows or an error, is a matter of time. */
  private def closedEarly(feed: String => Any): Seq[String] = {
    Seq("true", "head -n 1", "true", "head -n 1").foreach(program => Try(feed(program)))
    Nil
  }

  private def transformed(rows: DataFrame, program: String): Seq[String] = {
    rows.createOrReplaceTempView("batch")
    val sql = s"SELECT TRANSFORM(lid, rid, lv, lts) USING '$program' AS (lid, rid, lv, lts) FROM batch"
    texts(rows.sparkSession.sql(sql))
  }

  private def selfJoin(rows: DataFrame, how: String): DataFrame = {
    val others = rows.where("lid % 5 > 0").selectExpr("lk", "lid as other")
    rows.join(others, Seq("lk"), how)
  }

  private def atOnce(uses: Seq[() => Seq[String]]): Seq[String] = {
    // Local properties, which tell tasks their query and batch, come to threads made here only.
    val found = Array.fill[Try[Seq[String]]](uses.size)(null)
    val threads = uses.indices.map(i => new Thread(() => found(i) = Try(uses(i)())))
    threads.foreach(_.start())
    threads.foreach(_.join())
    found.toSeq.flatMap(_.get)
  }

  /** An action that hangs in mid-batch, and is cancelled from another thread then. */
  final private class CancelledJob(rows: DataFrame, isInterrupted: Boolean) {
    private val group = "to be cancelled"

    def run(): String = {
      hangs = new CountDownLatch(1)
      val context = rows.sparkSession.sparkContext
      val cancels = new Thread(() => { hangs.await(); context.cancelJobGroup(group) })
      cancels.start()
      val found = atOnce(Seq { () =>
        context.setJobGroup(group, group, isInterrupted)
        Seq(outcome(mapped(rows)(_.map(hanging())).count()))
      })
      hangs.countDown()
      cancels.join()
      found.head
    }
  }

  @volatile private var hangs = new CountDownLatch(0)

  private def hanging(): Row => Row = {
    var seen = 0
    row => {
      seen += 1
      if (seen == 50) {
        hangs.countDown()
        while (!TaskContext.get().isInterrupted()) Thread.sleep(5)
      }
      row
    }
  }
}
