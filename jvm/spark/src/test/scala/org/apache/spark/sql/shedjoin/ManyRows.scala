package org.apache.spark.sql.shedjoin

import scala.util.Random

/** A join whose batches have as many rows as a test wants. */
object ManyRows {

  /** A left outer interval join of two watermarked streams, on the key `k`. */
  val join: JoinCase = JoinCase.inner(TimeCondition.between(-2000, 3000), "v").copy(joinType = "left_outer")

  /** Batches of ten seconds each, and one that is an hour later. Of `timeless` rows one has no time, if that is not 0. */
  def history(
      join: JoinCase,
      batches: Int,
      rowsASide: Int,
      keys: Int,
      timeless: Int = 0,
      random: Random = new Random(1)
  ): History = {
    val events = Vector.tabulate(batches) { batch =>
      Vector.tabulate(2 * rowsASide) { i =>
        val micros = start + (batch * BatchMs + random.nextInt(BatchMs)) * 1000L
        val ts = if (timeless > 0 && random.nextInt(timeless) == 0) null else Event.instant(micros)
        Event(batch * 2L * rowsASide + i, ts, Some(random.nextInt(keys)), 0, 0, Some(random.nextInt(10)), i % 2)
      }
    }
    val last =
      Vector(0, 1).map(side => Event(-1L - side, Event.instant(start + 3600000000L), Some(-1), 0, 0, Some(0), side))
    History(0, join, events :+ last, nothingLate = false, selfJoin = false, partitions = 2, codegen = false)
  }

  private val start = 1700000000000000L
  private val BatchMs = 10000
}
