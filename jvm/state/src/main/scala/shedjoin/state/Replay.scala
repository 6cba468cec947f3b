package shedjoin.state

/** Puts the content of state files back into a [[JoinState]]. */
final class Replay(state: JoinState) extends StateVisitor {
  def tick(latestTime: Long, rowsTaken: Long): Unit = state.restoreTick(latestTime, rowsTaken)
  def removed(id: Int): Unit = {
    assert(state.holds(id), s"row $id is removed and was not stored")
    state.restoreRemoval(id)
  }
  def matched(id: Int): Unit = {
    assert(state.holds(id), s"row $id is matched and was not stored")
    state.restoreMatch(id)
  }
  def row(id: Int, side: Int, matched: Boolean, time: Long, bytes: Array[Byte], keyLength: Int, length: Int): Unit =
    state.restore(id, side, matched, time, bytes, keyLength, length)
  def end(): Unit = state.settleRestored()
}
