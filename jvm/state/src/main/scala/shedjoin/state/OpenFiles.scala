package shedjoin.state

import java.util.concurrent.atomic.AtomicLong

/** What the state files that are open in this JVM take: blocks and what zstd has off the heap.
  *
  * That belongs to the executor and not to a partition's share: a task writes one file, or reads up to two, and a thread of
  * maintenance reads up to two and writes one, however many partitions there are.
  */
object OpenFiles {
  private val taken = new AtomicLong

  /** The bytes taken now. */
  def bytes: Long = taken.get

  /** What a task takes at most, and what a thread of maintenance does. */
  def taskBytes: Long = math.max(2 * Frames.readerBytes, Frames.writerBytes)
  def maintenanceBytes: Long = 2 * Frames.readerBytes + Frames.writerBytes

  private[state] def opened(bytes: Long): Unit = taken.addAndGet(bytes): Unit
  private[state] def closed(bytes: Long): Unit = taken.addAndGet(-bytes): Unit
}
