package shedjoin.core.collection

import shedjoin.core.Budget

/** Where tables get their chunks of `1 << chunkShift` ints from, all 0, and give them back. */
trait ChunkSource {
  def chunkShift: Int

  /** A chunk, or throws [[shedjoin.core.BudgetExceeded]] with everything as it was. */
  def take(): Array[Int]
  def give(chunk: Array[Int]): Unit
}

object ChunkSource {

  def bytes(chunkShift: Int): Long = Budget.arrayBytes(1 << chunkShift, 4)

  /** Keeps none. */
  final class Fresh(budget: Budget, val chunkShift: Int) extends ChunkSource {
    def take(): Array[Int] = {
      budget.reserve(bytes(chunkShift))
      new Array[Int](1 << chunkShift)
    }
    def give(chunk: Array[Int]): Unit = budget.release(bytes(chunkShift))
  }
}
