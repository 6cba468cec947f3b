package shedjoin.bench.stream

import shedjoin.bench.data.SideRows

/** The workloads, in the order they are run.
  *
  * @param rowsABatch
  *   of one side of the base workload; keys grow with it, so that results a row stay what they are
  */
final class Workloads(rowsABatch: Int) {
  import Workloads._

  val base: Workload = {
    def side(name: String) = SideRows(
      name,
      Seed,
      batches = 20,
      rowsABatch,
      keys = 10 * rowsABatch,
      firstKey = 0,
      zipf = 0,
      stepMs = Minute,
      jitterMs = 0,
      textBytes = 0
    )
    Workload(
      "base",
      "Inner join on a key within ±10 minutes, a minute of event time a batch",
      side("left"),
      side("right"),
      withinMs = 10 * Minute,
      delayMs = 0,
      joinType = "inner",
      contenders = Contender.all.map(_.name),
      rounds = 5,
      isRestored = true
    )
  }

  /** As the base, with three rounds and without Spark's joins on RocksDB, which are slower where the state fits. */
  private val plain = base.copy(
    contenders = Seq(Contender.Floor, Contender.Hdfs, Contender.Shed).map(_.name),
    rounds = 3,
    isRestored = false
  )

  private val fixedCosts = Seq(Contender.Floor, Contender.Hdfs, Contender.RocksDb4, Contender.Shed).map(_.name)

  val all: Seq[Workload] = Seq(
    base,
    plain.copy(
      name = "files",
      title = "The base, its rows read from CSV files, as `make bench-flink` reads them",
      isFiles = true
    ),
    plain.copy(
      name = "skew",
      title = "Keys of the right side by Zipf's law, exponent 1.1",
      right = plain.right.copy(zipf = 1.1)
    ),
    plain.copy(
      name = "nothing",
      title = "A join that emits nothing: the sides have no key in common",
      right = plain.right.copy(firstKey = plain.left.keys.toLong)
    ),
    plain.sides(_.copy(keys = rowsABatch * 3 / 4)).copy(name = "fanout", title = "Fan-out: ten results a row"),
    plain
      .sides(side => side.copy(rowsABatch = rowsABatch / 10, keys = rowsABatch, textBytes = 1000))
      .copy(name = "wide", title = "Wide rows: a text of 1,000 bytes in each, a tenth of the rows"),
    plain.copy(name = "outer", title = "Left outer join", joinType = "left_outer"),
    plain
      .sides(_.copy(stepMs = 10 * Minute, jitterMs = 60 * Minute, keys = rowsABatch * 13 / 10))
      .copy(name = "late", title = "Rows up to an hour out of order, ten minutes a batch", delayMs = 60 * Minute),
    grown(2),
    grown(4),
    grown(8),
    plain
      .sides(side => side.copy(batches = 60, rowsABatch = 500, keys = 5000))
      .copy(
        contenders = fixedCosts,
        name = "small",
        title = "Batches of 1,000 rows: what a batch costs, whatever is in it"
      ),
    plain
      .sides(side => side.copy(batches = 60, rowsABatch = 0))
      .copy(contenders = fixedCosts, name = "empty", title = "Empty batches")
  )

  /** As many rows a batch in less event time: `times` the state of the base. */
  private def grown(times: Int): Workload =
    plain
      .sides(side => side.copy(batches = 10 * times + 10, keys = side.keys * times, stepMs = side.stepMs / times))
      .copy(
        name = s"state$times",
        title = s"$times times the state of the base",
        rounds = if (times > 2) 1 else 2
      )
}

object Workloads {
  private val Seed = 20260101L
  private val Minute = 60000L
}
