package shedjoin.state

import shedjoin.core.Budget

/** A set of ids for merging files beside a running task: it takes memory only if the budget has it to spare. */
final class IdMarks(budget: Budget) {
  private var words = new Array[Long](0)

  def has(id: Int): Boolean = (id >>> 6) < words.length && (words(id >>> 6) & (1L << id)) != 0

  /** Adds `id`, or throws [[shedjoin.core.BudgetExceeded]]. Amortised O(1). */
  def add(id: Int): Unit = {
    if ((id >>> 6) >= words.length) widen((id >>> 6) + 1)
    words(id >>> 6) |= 1L << id
  }

  def release(): Unit = {
    budget.release(bytes(words.length))
    words = new Array[Long](0)
  }

  private def widen(least: Int): Unit = {
    val length = math.max(least, math.max(64, words.length * 2))
    budget.claim(bytes(length))
    val old = bytes(words.length)
    words = java.util.Arrays.copyOf(words, length)
    budget.release(old)
  }

  private def bytes(length: Int): Long = if (length == 0) 0 else Budget.arrayBytes(length, 8)
}
