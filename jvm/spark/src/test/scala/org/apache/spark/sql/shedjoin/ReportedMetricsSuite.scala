package org.apache.spark.sql.shedjoin

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.shedjoin.exec.ShedJoinExec

/** What a join reports of a batch, where it can be counted by hand. */
class ReportedMetricsSuite extends AnyFunSuite with LocalSpark {
  import ReportedMetricsSuite._

  private def reported(stream: StreamRun): Reported = {
    val join = stream.progress.last.stateOperators.head
    val made = stream.execution.lastExecution.executedPlan.collectFirst { case made: ShedJoinExec => made }.get
    def custom(name: String): Long = join.customMetrics.get(name)
    Reported(
      custom("shedJoinLeftRows"),
      custom("shedJoinRightRows"),
      custom("shedJoinDeadBytes"),
      custom("shedJoinCandidates"),
      made.metrics("numOutputRows").value,
      join.memoryUsedBytes
    )
  }

  override protected def confs: Map[String, String] = Map("spark.sql.streaming.noDataMicroBatches.enabled" -> "false")

  private def run[A](partitions: Int)(body: (Seq[Event] => Reported) => A): A = withFolder { folder =>
    val stream = new StreamRun(spark, history(partitions), isShed = true, folder).start()
    try
      body { batch =>
        stream.add(batch).settle()
        reported(stream)
      }
    finally stream.stop()
  }

  test("rows by side, candidates in reach, rows given out, and bytes of pages that hold no row") {
    run(partitions = 2) { report =>
      val first = report(Seq(left(1, 0), left(1, 1), left(1, 2), left(2, 0), right(1, 1), right(1, 500)))
      assert(first.counts == ((4, 2, 3, 3)), first)
      assert(0 < first.deadBytes && first.deadBytes < first.memoryBytes, first)
      val second = report(Seq(left(1, 1), right(3, 1), right(1, 1)))
      // The left row meets one right row, and the right one four left ones.
      assert(second.counts == ((5, 4, 5, 5)), second)
    }
  }

  test("the memory of all partitions is summed up") {
    // So many keys that each partition has some.
    val rows = (1 to 60).map(left(_, 0))
    val one = run(partitions = 1)(_(rows)).memoryBytes
    val three = run(partitions = 3)(_(rows)).memoryBytes
    assert(three > 2.5 * one && three < 3.5 * one, s"$one bytes, and $three in three partitions")
  }
}

object ReportedMetricsSuite {
  final private case class Reported(
      leftRows: Long,
      rightRows: Long,
      deadBytes: Long,
      candidates: Long,
      outputRows: Long,
      memoryBytes: Long
  ) {
    def counts: (Long, Long, Long, Long) = (leftRows, rightRows, candidates, outputRows)
  }

  private val ids = Iterator.from(1)

  private def event(side: Int, key: Int, second: Long): Event =
    Event(ids.next().toLong, Event.instant((1700000000L + second) * 1000000), Some(key), 0, 0, Some(1), side)
  private def left(key: Int, second: Long): Event = event(0, key, second)
  private def right(key: Int, second: Long): Event = event(1, key, second)

  /** Rows match within ten seconds; no watermark moves on. */
  private def history(partitions: Int): History = {
    val some = Histories.of(1)
    val join = JoinCase
      .inner(TimeCondition.between(-10000, 10000), "v")
      .copy(leftDelay = Some(100000), rightDelay = Some(100000))
    some.copy(join = join, batches = Vector.empty, selfJoin = false, partitions = partitions, codegen = false)
  }
}
