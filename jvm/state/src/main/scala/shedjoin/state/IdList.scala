package shedjoin.state

import shedjoin.core.Budget
import shedjoin.core.collection.{ChunkPool, IntTable}

/** A list of row ids, counted in a budget, in chunks of a pool. */
final class IdList(budget: Budget, pool: ChunkPool) {
  private val cells = new IntTable(1, budget, pool)
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

  /** Sorts the places from `from` to before `until` by insertion, `isBefore` being a strict order. For short ranges. */
  def insertionSort(from: Int, until: Int, isBefore: IdOrder): Unit = {
    var place = from + 1
    while (place < until) {
      val id = this(place)
      var hole = place
      while (hole > from && isBefore(id, this(hole - 1))) {
        this(hole) = this(hole - 1)
        hole -= 1
      }
      this(hole) = id
      place += 1
    }
  }
}

/** An order of ids that does not box them. */
trait IdOrder {
  def apply(a: Int, b: Int): Boolean
}
