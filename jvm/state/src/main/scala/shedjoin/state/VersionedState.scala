package shedjoin.state

import java.util.UUID

import scala.util.Using

import shedjoin.core.{Budget, BudgetExceeded}

/** One partition's state through its versions: in memory at one of them, on disk at all that are retained.
  *
  * At most one task writes at a time. Going back one version is an undo in memory; any other version is read from files: the
  * youngest snapshot before it and the deltas since. The bytes of a delta depend on the version before and on the batch
  * alone, not on the order rows came in, so it does not matter which attempt of a batch wrote the file last.
  *
  * A task that opens a version again while it still works on it can not wait for itself: it gets a copy, read from files
  * into a share of its own, and both write the same delta.
  *
  * @param dropped where states go that a thread may still be at work on
  */
final class VersionedState(
    files: StateFiles,
    settings: StateSettings,
    dropped: DroppedStates = new DroppedStates
) {
  import VersionedState._

  private val lock = new Object
  private var state: JoinState = _
  private var held: Point = _
  private var before: Point = _

  /** The attempt that works on `state`, and those of its task that work on copies. */
  private var writer: Attempt = _
  private var copies = Set.empty[Attempt]
  private var last: Committed = _
  private var closed = false
  @volatile private var settled: StateVersion = StateVersion.Empty
  @volatile private var room: SideRoom = _
  private val maintenance = new StateMaintenance(files, settings)

  /** Lets `task` write the version after `version`, under `nextUid`. Waits while another task writes. */
  def open(version: StateVersion, task: Object = new Object, nextUid: Option[UUID] = None): Attempt =
    lock.synchronized {
      awaitTurn(task)
      val next = StateVersion(version.number + 1, nextUid)
      if (writer == null) {
        writer = openInPlace(version, task, next)
        writer
      } else {
        val copy = openCopy(version, task, next)
        copies += copy
        copy
      }
    }

  /** Writes a snapshot when one is due, and deletes files that no retained version needs. Never waits for a writer. */
  def maintain(): Unit = {
    val target = settled
    val beside = room
    if (target.number > 0 && beside != null) maintenance.run(target, beside.budgetBeside)
  }

  /** The version of the youngest snapshot that `maintain` wrote, or 0. */
  def snapshotVersion: Long = maintenance.snapshotVersion

  /** What states hold that were given up and that a thread can still reach. */
  def droppedBytes: Long = dropped.bytes(files.path)

  /** Frees the memory; whoever still writes gets an error at its next step. */
  def close(): Unit = lock.synchronized {
    closed = true
    (copies ++ Option(writer)).foreach(giveUp)
    forget()
  }

  /** Lets a thread that did not open `attempt` work on its state, unless it has ended. */
  private[state] def enter(attempt: Attempt): Unit = lock.synchronized {
    requireOpen(attempt)
    attempt.share()
  }

  private[state] def commit(attempt: Attempt): StateVersion = lock.synchronized {
    requireOpen(attempt)
    attempt.state.requireReopens()
    val chain = writeDelta(attempt)
    if (attempt eq writer) {
      before = held
      held = Point(attempt.next, chain)
    }
    val repeats = last != null && last.task == attempt.task && last.next == attempt.next
    val inPlace = !attempt.isCopy
    end(attempt, Attempt.Reports(rows = !repeats, memory = !(repeats && inPlace && last.inPlace)))
    last = Committed(attempt.task, attempt.next, inPlace || (repeats && last.inPlace))
    attempt.next
  }

  /** Undoes what `attempt` changed in place; gives the state up where another thread may still be at work on it. */
  private[state] def abort(attempt: Attempt): Unit = lock.synchronized {
    if (attempt.isOpen) {
      if (!attempt.isOwnedByCaller) giveUp(attempt)
      else
        try if (attempt eq writer) state.rollback()
        catch {
          case e: Throwable =>
            forget()
            throw e
        } finally cancel(attempt)
    }
  }

  private def awaitTurn(task: Object): Unit = {
    val deadline = System.nanoTime + settings.busyTimeoutMs * 1000000
    while (writer != null && writer.task != task && !closed) {
      val leftMs = (deadline - System.nanoTime) / 1000000
      if (leftMs <= 0) throw new StateBusy(files.path, settings.busyTimeoutMs)
      lock.wait(leftMs)
    }
    if (closed) throw new StateClosed(files.path)
  }

  private def openInPlace(version: StateVersion, task: Object, next: StateVersion): Attempt =
    try {
      if (state == null || held.version != version) {
        if (state != null && before != null && before.version == version) undo() else load(version)
      }
      state.begin()
      before = null
      settled = version
      new Attempt(this, task, state, isCopy = false, held, next, new FileAhead(files, next.delta))
    } catch {
      case e: Throwable =>
        forget()
        throw e
    }

  private def openCopy(version: StateVersion, task: Object, next: StateVersion): Attempt = {
    val copy = new Loaded(version)
    copy.state.begin()
    new Attempt(this, task, copy.state, isCopy = true, copy.point, next, new FileAhead(files, next.delta))
  }

  /** Ends an attempt whose state a thread may still be at work on. */
  private def giveUp(attempt: Attempt): Unit = {
    dropped.add(files.path, attempt.state)
    if (attempt eq writer) forget()
    cancel(attempt)
  }

  private def cancel(attempt: Attempt): Unit = {
    attempt.file.cancel()
    end(attempt, Attempt.Nothing)
  }

  private def end(attempt: Attempt, reports: Attempt.Reports): Unit = {
    attempt.end(reports)
    if (attempt eq writer) writer = null else copies -= attempt
    lock.notifyAll()
  }

  private def requireOpen(attempt: Attempt): Unit = if (!attempt.isOpen) throw new StateClosed(files.path)

  private def undo(): Unit = {
    state.rollback()
    held = before
    before = null
  }

  private def forget(): Unit = {
    state = null
    held = null
    before = null
    room = null
  }

  private def load(version: StateVersion): Unit = {
    forget()
    val loaded = new Loaded(version)
    state = loaded.state
    held = loaded.point
    room = loaded.room
  }

  /** A state that was read from files, in a budget of one share. */
  final private class Loaded(version: StateVersion) {
    private val memory = new Budget(settings.budgetBytes)
    val state = new JoinState(memory, settings.pageBytes)
    val room = new SideRoom(memory, settings)
    private val lineage = new Lineage(files)
    private val needed = lineage.filesOf(version)
    val point: Point =
      try {
        val merged = new FileMerge(lineage, needed, room.budgetBeside).restore(state)
        state.requireReopens()
        Point(version, merged.chain)
      } catch {
        case e: BudgetExceeded =>
          // Files of another history may hold more than fits, and would be the reason then.
          new FileMerge(lineage, needed, new Budget(settings.budgetBytes)).read(FileMerge.NoRows)
          throw e
      }
  }

  private def writeDelta(attempt: Attempt): Long = {
    val pending = attempt.file.get
    try {
      val header =
        FileHeader(FileHeader.Delta, settings.codec, attempt.next, attempt.base.version.uid, attempt.base.chain)
      val chain = Using.resource(new FrameWriter(pending.out, header)) { writer =>
        StateContent.writeDelta(attempt.state, writer)
        writer.finish()
      }
      pending.commit()
      chain
    } catch {
      case e: Throwable =>
        pending.cancel()
        throw e
    }
  }
}

object VersionedState {
  final private[state] case class Point(version: StateVersion, chain: Long)

  /** Which task committed last, which version, and whether in place. */
  final private case class Committed(task: Object, next: StateVersion, inPlace: Boolean)
}
