package shedjoin.state

import java.util.UUID

import scala.util.Using

import shedjoin.core.{Budget, BudgetExceeded}

/** One partition's state through its versions: in memory at one of them, on disk at all that are retained.
  *
  * At most one writer at a time. Going back one version is an undo in memory; any other version is read from files: the
  * youngest snapshot before it and the deltas since. The bytes of a delta depend on the version before and on the batch
  * alone, not on the order rows came in, so it does not matter which attempt of a batch wrote the file last.
  */
final class VersionedState(files: StateFiles, settings: StateSettings) {
  import VersionedState._

  private val lock = new Object
  private var state: JoinState = _
  private var held: Point = _
  private var before: Point = _
  private var writer: Object = _
  private var writerThread: Thread = _
  private var next: StateVersion = _
  private var nextFile: FileAhead = _
  private var closed = false
  @volatile private var settled: StateVersion = StateVersion.Empty
  @volatile private var room: SideRoom = _
  private val maintenance = new StateMaintenance(files, settings)

  /** Makes `version` the one in memory and `owner` its only writer, which is to commit the version after it under
    * `nextUid`. Waits while another attempt writes.
    */
  def open(version: StateVersion, owner: Object, nextUid: Option[UUID] = None): JoinState = lock.synchronized {
    awaitTurn(owner)
    endWriting()
    try {
      if (state == null || held.version != version) {
        if (state != null && before != null && before.version == version) undo() else load(version)
      }
      state.begin()
      room.hold()
      before = null
      writer = owner
      writerThread = Thread.currentThread
      next = StateVersion(version.number + 1, nextUid)
      nextFile = new FileAhead(files, next.delta)
      settled = version
      state
    } catch {
      case e: Throwable =>
        forget()
        throw e
    }
  }

  /** Writes the delta of what `owner` changed; the state in memory is then at the new version. */
  def commit(owner: Object): StateVersion = lock.synchronized {
    requireOwner(owner)
    val chain = writeDelta()
    before = held
    held = Point(next, chain)
    endWriting()
    held.version
  }

  /** Undoes what `owner` changed and lets the next writer in; nothing if it writes no more.
    *
    * From another thread than the one that opened it nobody knows whether the attempt has stopped: it keeps the state,
    * which is worth nothing any more, and the next writer reads its version from files.
    */
  def abort(owner: Object): Unit = lock.synchronized {
    if (writer eq owner) {
      try if (Thread.currentThread eq writerThread) state.rollback() else forget()
      catch {
        case e: Throwable =>
          forget()
          throw e
      } finally endWriting()
    }
  }

  /** Whether `owner` may still change the state. */
  def isWriting(owner: Object): Boolean = lock.synchronized(writer eq owner)

  /** Writes a snapshot when one is due, and deletes files that no retained version needs. Never waits for a writer. */
  def maintain(): Unit = {
    val target = settled
    val beside = room
    if (target.number > 0 && beside != null) maintenance.run(target, beside.budgetBeside)
  }

  /** The version of the youngest snapshot that `maintain` wrote, or 0. */
  def snapshotVersion: Long = maintenance.snapshotVersion

  /** Frees the memory; whoever still writes gets an error at its next step. */
  def close(): Unit = lock.synchronized {
    closed = true
    forget()
    endWriting()
  }

  private def awaitTurn(owner: Object): Unit = {
    val deadline = System.nanoTime + settings.busyTimeoutMs * 1000000
    while (writer != null && (writer ne owner) && !closed) {
      val leftMs = (deadline - System.nanoTime) / 1000000
      if (leftMs <= 0) throw new StateBusy(files.path, settings.busyTimeoutMs)
      lock.wait(leftMs)
    }
    if (closed) throw new StateClosed(files.path)
  }

  private def endWriting(): Unit = {
    if (nextFile != null) nextFile.cancel()
    nextFile = null
    writer = null
    writerThread = null
    lock.notifyAll()
  }

  private def requireOwner(owner: Object): Unit =
    if (closed || (writer ne owner)) throw new StateClosed(files.path)

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
    val memory = new Budget(settings.budgetBytes)
    memory.reserve(StateSettings.ReservedBytes)
    val loaded = new JoinState(memory, settings.pageBytes)
    val lineage = new Lineage(files)
    val needed = lineage.filesOf(version)
    val merged =
      try new FileMerge(lineage, needed, memory).restore(loaded)
      catch {
        case e: BudgetExceeded =>
          // Files of another history may hold more than fits, and would be the reason then.
          new FileMerge(lineage, needed, new Budget(settings.budgetBytes)).read(FileMerge.NoRows)
          throw e
      }
    state = loaded
    held = Point(version, merged.chain)
    room = new SideRoom(memory, settings)
  }

  private def writeDelta(): Long = {
    val pending = nextFile.get
    try {
      val header = FileHeader(FileHeader.Delta, settings.codec, next, held.version.uid, held.chain)
      val chain = Using.resource(new FrameWriter(pending.out, header)) { writer =>
        StateContent.writeDelta(state, writer)
        writer.finish()
      }
      pending.commit()
      nextFile = null
      chain
    } catch {
      case e: Throwable =>
        pending.cancel()
        throw e
    }
  }
}

object VersionedState {
  final private case class Point(version: StateVersion, chain: Long)
}
