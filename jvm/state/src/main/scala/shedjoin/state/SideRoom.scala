package shedjoin.state

import shedjoin.core.Budget

/** A part of the budget that the rows of a partition leave alone, so that a full partition can still be restarted and its
  * files merged: reading files back packs rows into pages otherwise, and needs a buffer for one of them; a merge beside
  * the task marks ids.
  *
  * Written by the task, read by maintenance. An unlimited budget needs none.
  */
final class SideRoom(budget: Budget, settings: StateSettings) {
  private val bytes = settings.sideBytes
  @volatile private var held = false

  /** Sets the room aside if there is any to spare, as there may not be yet in a state that was just read back. For the
    * task.
    */
  def hold(): Unit = if (!held) held = budget.obtain(bytes)

  /** The budget of work beside the task: this room, or what rows have left of the whole. */
  def budgetBeside: Budget = if (held && bytes > 0) new Budget(bytes) else budget
}
