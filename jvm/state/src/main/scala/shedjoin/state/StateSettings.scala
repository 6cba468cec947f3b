package shedjoin.state

import shedjoin.core.Budget

/** How one partition keeps its state.
  *
  * @param budgetBytes   this partition's share of the join's memory
  * @param deltasPerSnapshot after how many deltas maintenance writes a snapshot
  * @param versionsToRetain  how many versions back a query can be taken
  */
final case class StateSettings(
    budgetBytes: Long,
    deltasPerSnapshot: Int,
    versionsToRetain: Int,
    codec: Int = Frames.Zstd,
    busyTimeoutMs: Long = 60000L
) {

  def pageBytes: Int = if (budgetBytes < StateSettings.SmallBudget) 16 * 1024 else 64 * 1024

  /** What rows leave alone of the budget, see [[SideRoom]]: two pages, and two bits for each id that there can be. */
  def sideBytes: Long = if (budgetBytes == StateSettings.Unlimited) 0 else 2L * pageBytes + budgetBytes / 64
}

object StateSettings {
  private val SmallBudget = 16L * 1024 * 1024

  val Unlimited: Long = Budget.unlimited.limitBytes

  /** The buffers of a reader and a writer, for the task and for maintenance, and what the codec takes beside them. */
  val ReservedBytes: Long = 4 * Frames.BufferBytes

  /** Less than this can not hold a state worth having. */
  val LeastBytes: Long = 384 * 1024
}
