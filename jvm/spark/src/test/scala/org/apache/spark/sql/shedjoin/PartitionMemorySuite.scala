package org.apache.spark.sql.shedjoin

import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.streaming.StreamingQueryException

/** What one partition may use of a join's memory, and what is reported of it. */
class PartitionMemorySuite extends AnyFunSuite with LocalSpark {
  import PartitionMemorySuite._

  private val memory = "spark.shedjoin.memory"
  private val mb = 1L << 20

  private def run(history: History, memoryBytes: Long): Seq[Memory] = withFolder { folder =>
    val stream = new StreamRun(spark, history, isShed = true, folder)
    try
      withConf(memory -> s"${memoryBytes}b") {
        stream.start()
        history.batches.foreach(batch => stream.add(batch).settle())
        stream.progress.map(_.stateOperators.head).map { join =>
          Memory(join.numRowsTotal, join.memoryUsedBytes, join.customMetrics.get("shedJoinPeakBytes"))
        }
      }
    finally stream.stop()
  }

  test("rows of one key fill their partition's share, and none of what the others leave") {
    val rows = Vector(batch(4000, minutes = 0))
    val needed = run(history(rows, partitions = 1), 64 * mb).last.peakBytes
    val narrow = needed * 3 / 2
    assert(run(history(rows, partitions = 1), narrow).last.usedBytes <= narrow)
    val e = intercept[StreamingQueryException](run(history(rows, partitions = 4), narrow))
    assert(Iterator.iterate[Throwable](e)(_.getCause).takeWhile(_ != null).exists(_.getMessage.contains(OutOfMemory)))
    run(history(rows, partitions = 4), needed * 4 + mb)
  }

  test("the peak that is reported is that of the whole run: it stays where what is used falls, as rows have gone") {
    // Pages that came free are kept for some batches.
    val small = Vector.tabulate(36)(minutes => batch(20, minutes = 60L + minutes))
    val rows = Vector(batch(20, minutes = 0), batch(4000, minutes = 1)) ++ small
    val all = run(history(rows, partitions = 2), 16 * mb)
    assert(all.head.rows <= 20 && all.map(_.rows).max >= 4000 && all.last.rows <= 60, all)
    all.foreach(m => assert(m.usedBytes <= m.peakBytes && m.peakBytes <= 16 * mb, all))
    all.zip(all.drop(1)).foreach { case (before, after) => assert(after.peakBytes >= before.peakBytes, all) }
    val most = all.map(_.usedBytes).max
    assert(all.last.usedBytes < most - 1000 * RowBytes && all.last.peakBytes >= most, all)
  }
}

object PartitionMemorySuite {
  final private case class Memory(rows: Long, usedBytes: Long, peakBytes: Long)

  private val OutOfMemory = "SHEDJOIN_OUT_OF_MEMORY"
  private val RowBytes = 200
  private val ids = Iterator.from(1)

  /** So many left rows of one key, and a right row that moves the time on. */
  private def batch(size: Int, minutes: Long): Vector[Event] = {
    def event(side: Int, key: Int) =
      Event(ids.next().toLong, Event.instant((1700000000L + 60 * minutes) * 1000000), Some(key), 0, 0, Some(1), side)
    Vector.fill(size - 1)(event(0, key = 7)) :+ event(1, key = 1)
  }

  private def history(batches: Vector[Vector[Event]], partitions: Int): History = {
    val some = Histories.of(1)
    val join = JoinCase.inner(TimeCondition.between(-60000, 60000), s"repeat('x', $RowBytes)")
    some.copy(join = join, batches = batches, selfJoin = false, partitions = partitions, codegen = false)
  }
}
