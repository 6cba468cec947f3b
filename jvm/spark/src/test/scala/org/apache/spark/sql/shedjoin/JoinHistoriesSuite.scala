package org.apache.spark.sql.shedjoin

import java.time.Instant

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.Seeded

/** Random histories through Spark's operator and ours, compared batch by batch, and with a naive join. */
class JoinHistoriesSuite extends AnyFunSuite with LocalSpark with Seeded {

  test("random histories give what Spark's operator gives, batch by batch") {
    var checkedNaively = 0
    var late = 0L
    val drawn = seeds(200)
    val failures = drawn.flatMap { seed =>
      val history = Histories.of(seed)
      val complaint =
        try {
          val (sparks, ours) = runBoth(history)
          late += sparks.flatMap(_.metrics.get("numRowsDroppedByWatermark")).sum
          if (history.isPlain) checkedNaively += 1
          compare(history, sparks, ours).orElse(unexplained(ours)).orElse(naive(history, ours))
        } catch { case e: Throwable => Some(s"${e.getClass.getName}: ${e.getMessage.take(1500)}") }
      complaint.map { text =>
        info(s"$history\n  $text")
        command(seed)
      }
    }
    info(s"${drawn.size} histories, $checkedNaively of them also against the naive join; $late late rows")
    assert(failures.isEmpty, ": what runs each failing history alone")
  }

  test("the histories vary in all that they are held in") {
    val all = (1L to 200L).map(Surroundings.of)
    val often = Seq[Surroundings => Boolean](
      _.largeSide.contains(0),
      _.largeSide.contains(1),
      s => s.memoryMb.isDefined && s.largeSide.isDefined,
      s => s.memoryMb.isDefined && s.largeSide.isEmpty,
      _.latestWatermark,
      _.wholeStage,
      _.defaultFiles,
      _.withoutDelays
    ).map(all.count(_))
    val starts = all.groupBy(_.startMicros).map(_._2.size)
    assert(often.forall(_ > 0) && starts.size == 5 && starts.forall(_ > 3), s": $often, starts $starts")
  }

  test("in hardly more memory than its rows need, whose log is cleaned, a join gives what Spark's operator gives") {
    histories(1) { random =>
      // Rows without a time stay, a few in each page of those that go.
      val join = ManyRows.join.copy(joinType = "inner", payloads = Seq("repeat('x', 200)"))
      val long = ManyRows.history(join, batches = 10, rowsASide = 700, keys = 200, timeless = 60, random)
      val history = long.copy(partitions = 1, confs = Map("spark.shedjoin.memory" -> "1450kb"))
      val (sparks, ours) = runBoth(history)
      assert(compare(history, sparks, ours).isEmpty)
    }
  }

  test("a day of 25 hours is as long as Spark takes it to be") {
    withConf("spark.sql.session.timeZone" -> "America/New_York") {
      val time = TimeCondition.Range(None, Some(TimeCondition.Bound(0, closed = true)), TimeCondition.Day)
      val noon = Instant.parse("2023-11-04T16:00:00Z")
      def event(side: Int, minutes: Long) = Event(minutes, noon.plusSeconds(60 * minutes), Some(1), 0, 0, Some(1), side)
      val join = Histories
        .of(1)
        .join
        .copy(
          joinType = "inner",
          time = time,
          leftOnly = false,
          rightOnly = false,
          leftDelay = Some(5),
          rightDelay = Some(5)
        )
      val batches = Vector(Vector(event(0, 0)), Vector(event(1, 24 * 60 + 30), event(1, 25 * 60 + 30)))
      val history = History(0, join, batches, nothingLate = true, selfJoin = false, partitions = 1, codegen = false)
      val (sparks, ours) = runBoth(history)
      assert(compare(history, sparks, ours).isEmpty)
      assert(ours.flatMap(_.rows).map(row => (row.left, row.right)) == Vector((Some(0L), Some(24L * 60 + 30))))
    }
  }

  private def runBoth(history: History): (Vector[BatchResult], Vector[BatchResult]) = withFolder { sparkFolder =>
    withFolder { ourFolder =>
      val sparks = new StreamRun(spark, history, isShed = false, sparkFolder)
      val ours = new StreamRun(spark, history, isShed = true, ourFolder)
      try {
        sparks.start()
        ours.start()
        history.batches.foreach { batch =>
          sparks.add(batch)
          ours.add(batch)
          sparks.settle()
          ours.settle()
        }
        (sparks.results, ours.results)
      } finally {
        sparks.stop()
        ours.stop()
      }
    }
  }

  private def compare(history: History, sparks: Vector[BatchResult], ours: Vector[BatchResult]): Option[String] =
    if (sparks.map(_.id) != ours.map(_.id)) Some(s"batches ${sparks.map(_.id)} of Spark, ${ours.map(_.id)} of ours")
    else
      sparks.zip(ours).collectFirst {
        case (s, o) if s.sorted != o.sorted =>
          s"batch ${s.id}: only Spark gives ${s.sorted.diff(o.sorted)}, only ours ${o.sorted.diff(s.sorted)}"
        case (s, o) if comparable(history, s) != comparable(history, o) =>
          s"batch ${s.id}: counts ${s.rowCounts} of Spark, ${o.rowCounts} of ours"
      }

  /** Spark does not count as removed the rows that an outer join removes to emit them; ours counts all. */
  private def comparable(history: History, result: BatchResult): Map[String, Long] =
    if (Set("inner", "left_semi")(history.join.joinType)) result.rowCounts else result.rowCounts - "numRowsRemoved"

  /** What a batch stores and removes must explain how many rows there are after it. */
  private def unexplained(ours: Vector[BatchResult]): Option[String] = {
    val totals = 0L +: ours.map(_.metrics("numRowsTotal"))
    ours.zip(totals).collectFirst {
      case (o, before)
          if before + o.metrics("numRowsUpdated") - o.metrics("numRowsRemoved") != o.metrics("numRowsTotal") =>
        s"batch ${o.id}: ${o.metrics} after $before rows"
    }
  }

  private def naive(history: History, ours: Vector[BatchResult]): Option[String] =
    if (history.isPlain) NaiveJoin.complaint(history, ours.flatMap(_.rows)).map("against the naive join: " + _)
    else None
}
