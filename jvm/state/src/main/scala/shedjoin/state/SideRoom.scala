package shedjoin.state

import shedjoin.core.Budget

/** A part of the budget that the rows of a partition leave alone, so that its files can be read back and merged whatever
  * else is full: both mark ids.
  *
  * Taken before the first row. An unlimited budget needs none.
  */
final class SideRoom(budget: Budget, settings: StateSettings) {
  budget.part("maintenance").reserve(settings.sideBytes)

  /** The budget of work beside the task: this room. For any thread: asks nobody to give memory back. */
  def budgetBeside: Budget = if (settings.sideBytes > 0) new Budget(settings.sideBytes) else budget
}
