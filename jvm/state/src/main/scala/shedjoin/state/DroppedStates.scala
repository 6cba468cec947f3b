package shedjoin.state

import java.lang.ref.WeakReference

/** States that were given up while a thread may still have been at work on them, and how much memory they hold until it
  * lets go. One for all partitions of a JVM, as they outlive what opened them; for several threads.
  */
final class DroppedStates {
  import DroppedStates._

  private var all = Vector.empty[Dropped]

  /** The bytes of those of one folder that anything can still reach. O(states). */
  def bytes(path: String): Long = synchronized {
    forgetGone()
    all.filter(_.path == path).flatMap(dropped => Option(dropped.state.get)).map(_.budget.usedBytes).sum
  }

  private[state] def add(path: String, state: JoinState): Unit = synchronized {
    forgetGone()
    all :+= Dropped(path, new WeakReference(state))
  }

  private def forgetGone(): Unit = all = all.filter(_.state.get != null)
}

private object DroppedStates {
  final private case class Dropped(path: String, state: WeakReference[JoinState])
}
