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

  /** What rows leave alone of the budget, see [[SideRoom]]: two bits for each id that there can be. */
  def sideBytes: Long =
    if (budgetBytes == StateSettings.Unlimited) 0 else IdMarks.bytesFor(budgetBytes / RowTable.RowBytes)
}

object StateSettings {
  private val SmallBudget = 16L * 1024 * 1024

  val Unlimited: Long = Budget.unlimited.limitBytes

  /** Less than this can not hold a state worth having. */
  val LeastBytes: Long = 208 * 1024
}
