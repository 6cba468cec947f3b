package shedjoin.core.collection

import shedjoin.core.Budget

/** A set of small ids, one bit each.
  *
  * Every row passes here, so checks are written without `assert`, which makes an object for its message.
  */
final class IdSet(budget: Budget) {
  private val words = new IntTable(1, budget, IdSet.ChunkShift)
  private var limit = 0
  private var held = 0

  /** One more than the largest id ever put. O(1). */
  def bound: Int = limit

  /** How many there are. O(1). */
  def count: Int = held

  /** O(1). */
  def contains(id: Int): Boolean = id < limit && (words(id >>> 5, 0) & (1 << id)) != 0

  /** Makes room for `id`, so that putting it can not fail. O(1) amortised. */
  def ensureRoom(id: Int): Unit = words.ensure((id >>> 5) + 1)

  /** Puts an id for which room was made. O(1). */
  def put(id: Int): Unit = {
    if (contains(id)) throw new AssertionError(s"id $id is there already")
    if (id >= limit) limit = id + 1
    words(id >>> 5, 0) = words(id >>> 5, 0) | (1 << id)
    held += 1
  }

  /** Takes an id out that is there. O(1). */
  def remove(id: Int): Unit = {
    if (!contains(id)) throw new AssertionError(s"id $id is not there")
    words(id >>> 5, 0) = words(id >>> 5, 0) & ~(1 << id)
    held -= 1
  }

  def checkInvariants(): Unit = {
    val found = (0 until words.capacity << 5).count(contains)
    assert(found == held, s"$found ids and not $held")
  }
}

object IdSet {
  private val ChunkShift = 8
}
