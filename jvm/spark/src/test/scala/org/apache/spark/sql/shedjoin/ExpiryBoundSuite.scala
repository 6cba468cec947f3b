package org.apache.spark.sql.shedjoin

import org.scalatest.funsuite.AnyFunSuite

/** Rows just before, exactly at, and just after the event times at which rows are late or expire, through Spark's operator and
  * ours: what comes out, how many rows are stored, taken out and dropped as late, batch by batch.
  */
class ExpiryBoundSuite extends AnyFunSuite with LocalSpark {
  import ExpiryBoundSuite._

  private def run(history: History, isShed: Boolean): Vector[BatchResult] = withFolder { folder =>
    val stream = new StreamRun(spark, history, isShed, folder).start()
    try {
      history.batches.foreach(batch => stream.add(batch).settle())
      stream.results
    } finally stream.stop()
  }

  /** Spark's memory is another matter, and it does not count as removed the rows that an outer join removes to emit them. */
  private def comparable(join: JoinCase, result: BatchResult): Map[String, Long] =
    if (join.joinType.endsWith("outer")) result.metrics -- Seq(memory, "numRowsRemoved") else result.metrics - memory

  Joins.foreach { case (joinType, time) =>
    test(s"$joinType, $time") {
      val history = of(joinType, time)
      val (sparks, ours) = (run(history, isShed = false), run(history, isShed = true))
      assert(ours.map(_.id) == sparks.map(_.id))
      sparks.zip(ours).foreach { case (s, o) =>
        assert(comparable(history.join, o) == comparable(history.join, s), s"in batch ${s.id}")
        assert(o.sorted == s.sorted, s"in batch ${s.id}")
      }
      val totals = sparks.map(_.metrics("numRowsTotal"))
      assert(totals.zip(totals.drop(1)).exists { case (before, after) => after < before }, "nothing expires")
      assert(sparks.exists(_.metrics("numRowsDroppedByWatermark") > 0), "nothing is late")
    }
  }
}

object ExpiryBoundSuite {
  import TimeCondition._

  private val memory = "memoryUsedBytes"
  private val start = 1700000000L
  private val delay = 4

  private def within(isClosed: Boolean, spelling: Spelling): Range =
    Range(Some(Bound(-3000, isClosed)), Some(Bound(2000, isClosed)), spelling)

  private val Joins: Seq[(String, TimeCondition)] = Seq(
    "inner" -> within(isClosed = true, RightOfLeft),
    "inner" -> within(isClosed = false, LeftOfRight),
    "inner" -> Same,
    "left_outer" -> within(isClosed = true, RightOfLeft),
    "right_outer" -> within(isClosed = false, RightOfLeft),
    "full_outer" -> Windows(5, 5),
    "full_outer" -> Same,
    "left_semi" -> within(isClosed = true, LeftOfRight)
  )

  /** Watermarks and windows are of whole seconds, and so is each bound: rows lie at each second and a microsecond off it. */
  private def of(joinType: String, time: TimeCondition): History = {
    val some = Histories.of(1)
    val join = some.join.copy(
      joinType = joinType,
      key = KeyType.all.head,
      twoColumns = false,
      nullSafe = false,
      time = time,
      residual = false,
      leftOnly = false,
      rightOnly = false,
      leftDelay = Some(delay),
      rightDelay = Some(delay),
      payloads = Seq("v"),
      updateMode = false
    )
    val ids = Iterator.from(1)
    val batches = Vector(0, 3, 4, 9).map(now => around(start + now, ids))
    some.copy(join = join, batches = batches, nothingLate = false, selfJoin = false, partitions = 1, codegen = false)
  }

  /** Rows of both sides at all the seconds that matter when it is `now`. Half of those that could match have another key. */
  private def around(now: Long, ids: Iterator[Int]): Vector[Event] = for {
    second <- (now - 2 * delay to now).toVector
    off <- Vector(-1L, 0L, 1L)
    side <- Vector(0, 1)
    id = ids.next()
  } yield Event(
    id.toLong,
    Event.instant(math.min(second * 1000000 + off, now * 1000000)),
    Some(if (id % 3 == 0) 10 + side else 1),
    0,
    0,
    Some(1),
    side
  )
}
