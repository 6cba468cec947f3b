package shedjoin.state

import shedjoin.core.Budget
import shedjoin.core.collection.IntTable

/** A list of row ids, counted in a budget. */
final class IdList(budget: Budget) {
  private val cells = new IntTable(1, budget, IdList.ChunkShift)
  private var count = 0

  def size: Int = count
  def apply(place: Int): Int = cells(place, 0)
  def update(place: Int, id: Int): Unit = cells(place, 0) = id

  /** Makes room for `more` ids, so that adding them can not fail. */
  def ensureRoom(more: Int): Unit = cells.ensure(count + more)

  def add(id: Int): Unit = {
    cells.ensure(count + 1)
    cells(count, 0) = id
    count += 1
  }

  def foreach(f: Int => Unit): Unit = {
    var place = 0
    while (place < count) {
      f(this(place))
      place += 1
    }
  }

  /** Forgets all ids and gives back the memory of all but the first chunk. */
  def clear(): Unit = {
    count = 0
    cells.trim(1)
  }

  /** Sorts in place, ascending: a heap sort, which needs no memory. O(n log n). */
  def sort(): Unit = sort((a, b) => a < b)

  /** Sorts in place by `isBefore`, a strict total order. O(n log n). */
  def sort(isBefore: IdOrder): Unit =
    if (!isSorted(isBefore)) {
      var root = count / 2 - 1
      while (root >= 0) {
        siftDown(root, count, isBefore)
        root -= 1
      }
      var end = count - 1
      while (end > 0) {
        swap(0, end)
        siftDown(0, end, isBefore)
        end -= 1
      }
    }

  private def isSorted(isBefore: IdOrder): Boolean = {
    var place = 1
    while (place < count && !isBefore(this(place), this(place - 1))) place += 1
    place >= count
  }

  private def siftDown(start: Int, end: Int, isBefore: IdOrder): Unit = {
    var root = start
    var child = 2 * root + 1
    while (child < end) {
      if (child + 1 < end && isBefore(this(child), this(child + 1))) child += 1
      if (isBefore(this(root), this(child))) {
        swap(root, child)
        root = child
        child = 2 * root + 1
      } else child = end
    }
  }

  private def swap(a: Int, b: Int): Unit = {
    val held = this(a)
    this(a) = this(b)
    this(b) = held
  }
}

object IdList {
  private val ChunkShift = 10
}

/** An order of ids that does not box them. */
trait IdOrder {
  def apply(a: Int, b: Int): Boolean
}
