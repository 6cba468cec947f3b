package shedjoin.state

import shedjoin.core.Budget

/** What is left of a snapshot and the deltas after it: what a snapshot of that version holds, and the state read back.
  *
  * The files are read once, from the youngest to the oldest, so that rows that are gone are passed over, and no further than
  * to the last row that is left: the youngest file says how many are. A row is the one its id stands for unless a younger
  * file removed the id or gave it to another row; it is matched if its own file or a younger one says so. That takes two
  * bits an id, of `budget`, and no more, however large the rows are: they go on as they come.
  */
final class FileMerge(lineage: Lineage, files: Vector[String], budget: Budget) {
  import FileMerge._

  /** Checks the files and hands what is left of them to `rows`. O(content). */
  def read(rows: RowVisitor): Merged = {
    val limit = IdMarks.limitIn(budget.limitBytes)
    val pass = new Pass(new IdMarks(budget, limit), new IdMarks(budget, limit), rows)
    val unread = files.reverseIterator
    var chains = Vector.empty[Lineage.Chains]
    try {
      while (unread.hasNext && !pass.isComplete) {
        val older = lineage.read(unread.next(), pass)
        chains.lastOption.foreach(_.continues(older))
        chains :+= older
      }
      if (!unread.hasNext) chains.lastOption.foreach { oldest =>
        if (files.head.endsWith(".delta")) oldest.begins()
        pass.check(oldest)
      }
      Merged(pass.left, pass.latest, pass.taken, pass.inRows, chains.headOption.fold(0L)(_.after))
    } finally pass.release()
  }

  /** Writes the content of a snapshot. O(content). */
  def write(merged: Merged, to: FrameWriter): Unit = {
    to.putByte(StateContent.Tick)
    to.putLong(merged.latestTime)
    to.putVar(merged.rowsTaken)
    to.putVar(merged.rows)
    val rows = new RowWriter(merged.inRows, merged.rows, to)
    read(rows.copy(_, _, _, _, _, budget))
    to.putByte(StateContent.End)
  }

  /** Puts what is left into an empty state. O(content). */
  def restore(state: JoinState): Merged = {
    val merged = read(state.restore _)
    state.settleRestored(merged.latestTime, merged.rowsTaken)
    merged
  }
}

object FileMerge {

  /** What files came to, where the youngest that leaves out keys finds them, and the chain of their history. */
  final case class Merged(rows: Long, latestTime: Long, rowsTaken: Long, inRows: KeysInRows, chain: Long)

  val NoRows: RowVisitor = (_, _, _, _, _) => ()

  final private class Pass(gone: IdMarks, matchedMarks: IdMarks, to: RowVisitor) extends StateVisitor {
    var left = 0L
    var latest: Long = Long.MinValue
    var taken = 0L
    var inRows: KeysInRows = KeysInRows.Unknown
    private var seen = 0L
    private var removals = 0L
    private var isYoungest = true
    private var stored = StateContent.Untold

    /** Whether all rows were found that the youngest file says there are. */
    def isComplete: Boolean = left == stored

    def tick(latestTime: Long, rowsTaken: Long, rowsStored: Long): Unit = {
      if (isYoungest) stored = rowsStored
      isYoungest = false
      latest = math.max(latest, latestTime)
      taken = math.max(taken, rowsTaken)
    }

    def keys(known: KeysInRows): Unit = if (!inRows.isKnown) inRows = known

    def removed(id: Int): Unit = {
      removals += 1
      gone.add(id)
    }

    def matched(id: Int): Unit = if (!gone.has(id)) matchedMarks.add(id)

    def row(id: Int, side: Int, matched: Boolean, time: Long, bytes: RowBytes): Unit = {
      seen += 1
      if (!gone.has(id)) {
        left += 1
        to.row(id, side, matched || matchedMarks.has(id), time, bytes)
        gone.add(id)
      }
    }

    /** Once all was read: every row that is not left was removed, and once. */
    def check(oldest: Lineage.Chains): Unit = {
      if (stored != StateContent.Untold && !isComplete)
        throw new DamagedStateFile(oldest.path, s"it is the last one, and of $stored rows $left were found")
      if (seen - removals != left)
        throw new DamagedStateFile(oldest.path, s"of $seen rows $left are left after $removals were removed")
    }

    def release(): Unit = {
      gone.release()
      matchedMarks.release()
    }
  }
}
