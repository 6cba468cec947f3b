package shedjoin.core.collection

import shedjoin.core.{Budget, Reclaimer}

/** Chunks that come and go with each version of a state, kept for the next one: a stream at rest allocates none.
  *
  * As many are held, in use and spare together, as were in use at once in one of the latest versions. Spare ones are counted
  * in the budget, and are the first to go when it is short.
  */
final class ChunkPool(budget: Budget, val chunkShift: Int) extends ChunkSource with Reclaimer {
  import ChunkPool._

  private val chunkBytes = ChunkSource.bytes(chunkShift)
  private var spares = {
    budget.reserve(Budget.arrayBytes(FirstDirectory, 8))
    new Array[Array[Int]](FirstDirectory)
  }
  private var spareCount = 0
  private var used = 0
  private val most = new RecentMost

  def take(): Array[Int] = {
    val chunk = if (spareCount > 0) takeSpare() else fresh()
    used += 1
    most.note(used)
    chunk
  }

  private def fresh(): Array[Int] = {
    budget.reserve(chunkBytes)
    new Array[Int](1 << chunkShift)
  }

  private def takeSpare(): Array[Int] = {
    spareCount -= 1
    val chunk = spares(spareCount)
    spares(spareCount) = null
    java.util.Arrays.fill(chunk, 0)
    chunk
  }

  def give(chunk: Array[Int]): Unit = {
    used -= 1
    if (used + spareCount < most.value && hasPlace) {
      spares(spareCount) = chunk
      spareCount += 1
    } else budget.release(chunkBytes)
  }

  /** Whether there is a place for another spare chunk, if need be in a wider directory. */
  private def hasPlace: Boolean = spareCount < spares.length || {
    val wider = spares.length * 2
    val isWidened = budget.tryReserve(Budget.arrayBytes(wider, 8))
    if (isWidened) {
      budget.release(Budget.arrayBytes(spares.length, 8))
      spares = java.util.Arrays.copyOf(spares, wider)
    }
    isWidened
  }

  /** A version begins. O(chunks given up). */
  def begin(): Unit = {
    most.begin(used)
    while (spareCount > 0 && used + spareCount > most.value) drop()
  }

  def reclaim(): Boolean = spareCount > 0 && {
    while (spareCount > 0) drop()
    true
  }

  private def drop(): Unit = {
    spareCount -= 1
    spares(spareCount) = null
    budget.release(chunkBytes)
  }

  /** All that the pool took of the budget, chunks in use included. */
  def takenBytes: Long = Budget.arrayBytes(spares.length, 8) + (used + spareCount) * chunkBytes

  def checkInvariants(): Unit = {
    assert(spares.take(spareCount).forall(_ != null) && spares.drop(spareCount).forall(_ == null), "spares have holes")
    assert(
      used >= 0 && used + spareCount <= most.value,
      s"$used chunks in use, $spareCount spare, ${most.value} at most"
    )
  }
}

object ChunkPool {
  private val FirstDirectory = 8
}
