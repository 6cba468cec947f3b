package shedjoin.core

/** A budget that refuses some allocations though it has room: those whose number, counted from `watch`, is refused. */
final class RefusingBudget(limitBytes: Long) extends Budget(limitBytes) {
  private var refused: Int => Boolean = _ => false
  private var asked = 0
  private var hits = 0

  /** Counts from 1 anew, and refuses what `refuse` says. */
  def watch(refuse: Int => Boolean): Unit = {
    refused = refuse
    asked = 0
    hits = 0
  }

  def allowAll(): Unit = refused = _ => false

  /** How many allocations were asked for, and how many of them refused, since `watch`. */
  def askedCount: Int = asked
  def refusedCount: Int = hits

  override def tryReserve(bytes: Long): Boolean = {
    asked += 1
    val refuse = refused(asked)
    if (refuse) hits += 1
    !refuse && super.tryReserve(bytes)
  }
}
