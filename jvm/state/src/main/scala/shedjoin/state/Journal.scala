package shedjoin.state

import shedjoin.core.Budget

/** What changed since a version began, by row id: enough to write its delta and to undo it. */
final class Journal(budget: Budget) {
  val added = new IdList(budget)
  val removed = new IdList(budget)
  val matched = new IdList(budget)

  def clear(): Unit = {
    added.clear()
    removed.clear()
    matched.clear()
  }
}
