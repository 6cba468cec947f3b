package shedjoin.bench.stream

import shedjoin.bench.data.SideRows

/** A join of two made-up streams: equal keys, times no further apart than `withinMs`.
  *
  * @param delayMs
  *   of both watermarks
  * @param contenders
  *   the names of those that run it when nobody asks for others
  * @param rounds
  *   how often each runs when nobody asks otherwise
  * @param isFiles
  *   whether the rows come from CSV files rather than from nowhere
  */
final case class Workload(
    name: String,
    title: String,
    left: SideRows,
    right: SideRows,
    withinMs: Long,
    delayMs: Long,
    joinType: String,
    contenders: Seq[String],
    rounds: Int,
    isRestored: Boolean,
    isFiles: Boolean = false
) {
  def batches: Int = left.batches
  def rowsABatch: Int = left.rowsABatch + right.rowsABatch
  def rows: Long = batches.toLong * rowsABatch

  /** What a row of either side takes as Spark's `UnsafeRow`: the common measure of the data, whoever stores it. */
  def rowBytes: Int = 8 + 3 * 8 + (if (left.textBytes > 0) 8 + (left.textBytes + 7) / 8 * 8 else 0)

  /** The rows stored when as many expire as arrive: those of the last batches in reach, and of the one that is late. */
  def fullStateRows: Long = math.min(rows, ((withinMs + delayMs) / left.stepMs + 1) * rowsABatch)

  def sides(change: SideRows => SideRows): Workload = copy(left = change(left), right = change(right))
}
