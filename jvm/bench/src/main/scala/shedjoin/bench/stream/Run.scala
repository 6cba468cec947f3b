package shedjoin.bench.stream

import shedjoin.bench.CpuUse
import shedjoin.bench.sink.OutputHash

/** What one run of a contender gave.
  *
  * @param batchMs
  *   the duration of each batch that had input, in order
  * @param stateRows
  *   the rows stored at the end
  * @param heldBytes
  *   what was freed when the state was unloaded: heap after garbage collection, and memory off the heap
  * @param reportedBytes
  *   what the operator said at most that its state takes
  */
final case class Run(
    contender: String,
    rowsIn: Long,
    wallSeconds: Double,
    cpu: CpuUse,
    batchMs: Vector[Double],
    output: OutputHash,
    stateRows: Long,
    heldBytes: Long,
    reportedBytes: Long,
    checkpointBytes: Long,
    restored: Option[Restored]
) {
  def rowsASecond: Double = rowsIn / wallSeconds

  /** Milliseconds a batch in the last quarter of the run, when the state is full. */
  def steadyMs: Double = Spread.of(batchMs.takeRight(math.max(1, batchMs.size / 4))).median

  def checkpointBytesABatch: Long = checkpointBytes / math.max(1, batchMs.size)
}

/** What it took to read a state back after a restart, without what the first batch of a query without state takes.
  *
  * @param stateBytes
  *   what the operator says that the state takes
  */
final case class Restored(seconds: Double, rows: Long, stateBytes: Long, fileBytes: Long)
