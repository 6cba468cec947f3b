package shedjoin.core.collection

import shedjoin.core.Budget

/** The ids that are free, lowest first.
  *
  * The next id depends on nothing but which ids are taken, so two holders of the same ids hand out the same ones next,
  * whichever way each of them came there. Representation: a tree of bit sets, 32 children a node; a bit of level 0 says
  * that an id is free, a bit of level n that some id below it is. Every row passes here, so checks are written without
  * `assert`, which makes an object for its message.
  */
final class IdPool(budget: Budget) {
  import IdPool._

  private val levels = Array.fill(Levels)(new IntTable(1, budget, ChunkShift))
  private var limit = 0
  private var room = 0
  private var taken = 0

  /** No word of level 0 before this one has a free id. */
  private var firstWord = 0

  /** One more than the largest id ever taken. */
  def bound: Int = limit

  def isTaken(id: Int): Boolean = id < limit && (levels(0)(id >>> 5, 0) & (1 << id)) == 0

  /** The lowest free id, taken now. O(log32 ids). */
  def take(): Int = {
    val word = if (firstWord << 5 < limit) levels(0)(firstWord, 0) else 0
    val id = if (word != 0) (firstWord << 5) | Integer.numberOfTrailingZeros(word) else lowestFree()
    firstWord = id >>> 5
    if (id == limit) extend(id + 1)
    clear(id)
    taken += 1
    id
  }

  /** Takes the free `id`. O(log32 ids), and O(gap) when it lies above all before. */
  def takeThis(id: Int): Unit = {
    if (id >= limit) extend(id + 1)
    if (isTaken(id)) throw new AssertionError(s"id $id is taken already")
    clear(id)
    taken += 1
  }

  /** Frees the taken `id`. O(log32 ids). */
  def free(id: Int): Unit = {
    if (!isTaken(id)) throw new AssertionError(s"id $id is not taken")
    set(id)
    firstWord = math.min(firstWord, id >>> 5)
    taken -= 1
  }

  private def lowestFree(): Int = {
    var level = Levels - 1
    var node = 0
    while (level >= 0) {
      val word = if (node < levels(level).capacity) levels(level)(node, 0) else 0
      if (word == 0) return limit
      node = (node << 5) | Integer.numberOfTrailingZeros(word)
      level -= 1
    }
    node
  }

  /** Makes room for `id`, so that taking it can not fail. */
  def ensureRoom(id: Int): Unit = if (id >= room) {
    var level = 0
    while (level < Levels) {
      levels(level).ensure((id >>> (5 * (level + 1))) + 1)
      level += 1
    }
    room = levels(0).capacity << 5
  }

  private def extend(newLimit: Int): Unit = {
    ensureRoom(newLimit - 1)
    firstWord = math.min(firstWord, limit >>> 5)
    while (limit < newLimit) {
      set(limit)
      limit += 1
    }
  }

  private def set(id: Int): Unit = {
    var level = 0
    var at = id
    var wasEmpty = true
    while (level < Levels && wasEmpty) {
      val word = levels(level)(at >>> 5, 0)
      levels(level)(at >>> 5, 0) = word | (1 << at)
      wasEmpty = word == 0
      at >>>= 5
      level += 1
    }
  }

  private def clear(id: Int): Unit = {
    var level = 0
    var at = id
    var emptied = true
    while (level < Levels && emptied) {
      val word = levels(level)(at >>> 5, 0) & ~(1 << at)
      levels(level)(at >>> 5, 0) = word
      emptied = word == 0
      at >>>= 5
      level += 1
    }
  }

  def checkInvariants(): Unit = {
    val free = (0 until limit).count(!isTaken(_))
    assert(free + taken == limit, s"$free free and $taken taken of $limit")
    assert((0 until math.min(firstWord << 5, limit)).forall(isTaken), s"a free id before word $firstWord")
    for (level <- 1 until Levels; at <- 0 until ((limit + (1 << (5 * level)) - 1) >>> (5 * level))) {
      val below = levels(level - 1)(at, 0)
      val bit = (levels(level)(at >>> 5, 0) & (1 << at)) != 0
      assert(bit == (below != 0), s"level $level bit $at is $bit above word $below")
    }
  }
}

object IdPool {
  private val Levels = 6
  private val ChunkShift = 8
}
