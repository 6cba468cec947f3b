package shedjoin.state

/** One attempt's hold on a partition's state, from opening a version until it commits the next one or aborts.
  *
  * The thread that opens it and aborts it need not be the one that works on it: some of Spark's operators pull rows in a
  * thread of their own, which may go on after the task has ended. So whoever works on `state` calls `requireOpen` before
  * each step. The first call of another thread is noted under the lock of the [[VersionedState]]; from then on nobody but
  * that thread knows how far it is, and an abort leaves the state to it. An attempt that was aborted lets nobody in.
  *
  * @param task   who opened it; one task may open a version several times
  * @param isCopy whether `state` is a copy, beside the one that the same task opened before and still works on
  */
final class Attempt private[state] (
    versions: VersionedState,
    val task: Object,
    val state: JoinState,
    val isCopy: Boolean,
    private[state] val base: VersionedState.Point,
    val next: StateVersion,
    private[state] val file: FileAhead
) {
  private val opener = Thread.currentThread
  @volatile private var open = true
  private var shared = false
  private var reports = Attempt.Nothing

  /** Throws [[StateClosed]] once the attempt has ended. O(1). */
  def requireOpen(): Unit =
    if (!open || ((Thread.currentThread ne opener) && !shared)) versions.enter(this)

  /** Writes the delta of what changed in `state`, which is then at the next version. */
  def commit(): StateVersion = versions.commit(this)

  /** Undoes what changed and lets the next writer in; nothing once the attempt has ended. */
  def abort(): Unit = versions.abort(this)

  /** After a commit, whether no other attempt of this task had committed the version before; rows are reported once. */
  def reportsRows: Boolean = reports.rows

  /** After a commit, whether no other attempt of this task had reported the memory of this very state. */
  def reportsMemory: Boolean = reports.memory

  def isOpen: Boolean = open

  /** Whether nobody but this thread can be at work on the state. For holders of the lock, as are the next two. */
  private[state] def isOwnedByCaller: Boolean = !shared && (Thread.currentThread eq opener)
  private[state] def share(): Unit = shared = true
  private[state] def end(reported: Attempt.Reports): Unit = {
    reports = reported
    open = false
  }
}

object Attempt {

  /** What of an attempt that has ended goes into the reports of its task. */
  final private[state] case class Reports(rows: Boolean, memory: Boolean)
  private[state] val Nothing = Reports(rows = false, memory = false)
}
