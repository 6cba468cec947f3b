package shedjoin.state

import shedjoin.core.Budget
import shedjoin.core.collection.ChunkPool

/** What changed since a version began, by row id: enough to write its delta and to undo it. */
final class Journal(budget: Budget, pool: ChunkPool) {
  val added = new IdList(budget, pool)
  val removed = new IdList(budget, pool)
  val matched = new IdList(budget, pool)

  private val sorter = new IdSort(budget, pool)

  /** Notes a removal; sorting at the end of the version has its memory from now on. */
  def addRemoved(id: Int): Unit = addSortable(removed, id)

  /** Notes that a row was matched, likewise. */
  def addMatched(id: Int): Unit = addSortable(matched, id)

  private def addSortable(ids: IdList, id: Int): Unit = {
    sorter.ensureRoom(ids.size + 1)
    ids.add(id)
  }

  /** Puts what was removed and what was matched into ascending order; added ids are so from the start. */
  def sort(): Unit =
    Seq(removed, matched).filter(_.size > 1).foreach(ids => sorter.sort(ids, 0, ids.size, id => id.toLong))

  def clear(): Unit = {
    added.clear()
    removed.clear()
    matched.clear()
    sorter.trim()
  }
}
