package shedjoin.state

import shedjoin.core.{Budget, BudgetExceeded}

/** A set of ids below `limit`, for merging files beside a running task: it takes memory only if the budget has it to spare.
  *
  * Representation: chunks of bits behind a directory, made when the first of their ids is added.
  */
final class IdMarks(budget: Budget, limit: Long) {
  import IdMarks._

  private var chunks = new Array[Array[Long]](0)
  private var counted = 0L

  def has(id: Int): Boolean = {
    val chunk = id >>> ChunkBits
    chunk < chunks.length && chunks(chunk) != null && (chunks(chunk)((id & ChunkMask) >>> 6) & (1L << id)) != 0
  }

  /** Adds `id`, or throws [[shedjoin.core.BudgetExceeded]]. O(1) amortised. */
  def add(id: Int): Unit = {
    val chunk = id >>> ChunkBits
    if (chunk >= chunks.length || chunks(chunk) == null) makeChunk(id, chunk)
    chunks(chunk)((id & ChunkMask) >>> 6) |= 1L << id
  }

  def release(): Unit = {
    budget.release(counted)
    counted = 0
    chunks = new Array[Array[Long]](0)
  }

  private def makeChunk(id: Int, chunk: Int): Unit = {
    if (id >= limit) throw new BudgetExceeded((id + 1L) * RowTable.RowBytes, 0, limit * RowTable.RowBytes)
    if (chunk >= chunks.length) widen(chunk + 1)
    claim(Budget.arrayBytes(ChunkLongs, 8))
    chunks(chunk) = new Array[Long](ChunkLongs)
  }

  private def widen(least: Int): Unit = {
    val length = math.max(least, chunks.length * 2)
    claim(Budget.arrayBytes(length, 8))
    val old = if (chunks.length == 0) 0 else Budget.arrayBytes(chunks.length, 8)
    chunks = java.util.Arrays.copyOf(chunks, length)
    budget.release(old)
    counted -= old
  }

  private def claim(bytes: Long): Unit = {
    budget.claim(bytes)
    counted += bytes
  }
}

object IdMarks {
  private val ChunkBits = 14
  private val ChunkMask = (1 << ChunkBits) - 1
  private val ChunkLongs = 1 << (ChunkBits - 6)

  /** What two sets take that have few ids each. */
  private val LeastBytes = 8192L

  /** The memory for two sets of all ids below `limit`, and the other way round. */
  def bytesFor(limit: Long): Long = LeastBytes + (limit / 15 + 1) * 4
  def limitIn(bytes: Long): Long = math.max(0, bytes - LeastBytes) / 4 * 15
}
