package shedjoin.state

/** The content of a state file, in sections of a tag byte each:
  *
  * {{{
  * 1 tick     the largest event time seen (8 bytes), how many rows were taken (var), how many are stored (var; from format 2
  *            on)
  * 2 removed  count (var), ids ascending, each as its distance from the one before (var)
  * 3 matched  the same
  * 5 keys     for each side, where keys stand in rows, see [[KeyInRow]]: how many words (var) and, if any, zeros (var),
  *            the place of each word (var), how many bits (var), each bit (var)
  * 4 rows     count (var), and for each: id less the one before (signed), flags, time less the one before (signed;
  *            absent without a time), length of the key (var), of the row (var), the bytes of both; a key that is left out
  *            has neither length nor bytes
  * 0 end
  * }}}
  *
  * Flags: 1 right side, 2 matched, 4 has a time, 8 the key is left out, being made from the row. A snapshot has no sections
  * 2 and 3; section 5 is absent where no keys stand in rows.
  */
object StateContent {
  val End = 0
  val Tick = 1
  val Removed = 2
  val Matched = 3
  val Rows = 4
  val Keys = 5

  /** The number of rows stored, where a file does not tell it. */
  val Untold: Long = -1L

  val RightFlag = 1
  val MatchedFlag = 2
  val TimeFlag = 4
  val NoKeyFlag = 8

  /** Writes what `state` changed since its version began. O(changes). */
  def writeDelta(state: JoinState, to: FrameWriter): Unit = {
    val journal = state.journal
    journal.sort()
    to.putByte(Tick)
    to.putLong(state.latestTime)
    to.putVar(state.rowsTaken)
    to.putVar(state.size)
    writeIds(Removed, journal.removed, !state.isFresh(_), to)
    writeIds(Matched, journal.matched, id => !state.isFresh(id) && state.holds(id), to)
    val rows = new RowWriter(state.keysInRows, count(journal.added, state.holds), to)
    state.inGroups(journal.added, withKeys = !state.keysInRows.areKnown)(id =>
      if (state.holds(id)) write(id, state, rows)
    )
    to.putByte(End)
  }

  private def write(id: Int, state: JoinState, to: RowWriter): Unit = {
    val row = state.address(id)
    val leavesOutKey = to.leavesOutKey(state.side(id), state.page(row), state.offset(row))
    to.putHead(id, state.side(id), state.isMatched(id), state.time(id), leavesOutKey)
    if (leavesOutKey) to.putLength(state.length(row))
    else {
      val key = state.key(id)
      to.putLength(state.keyBytes.length(key))
      to.putLength(state.length(row))
      to.putBytes(state.keyBytes.page(key), state.keyBytes.offset(key), state.keyBytes.length(key))
    }
    to.putBytes(state.page(row), state.offset(row), state.length(row))
  }

  private def writeIds(section: Int, ids: IdList, isMeant: Int => Boolean, to: FrameWriter): Unit = {
    to.putByte(section)
    to.putVar(count(ids, isMeant))
    var before = 0
    ids.foreach { id =>
      if (isMeant(id)) {
        to.putVar(id - before)
        before = id
      }
    }
  }

  private def count(ids: IdList, isMeant: Int => Boolean): Long = {
    var n = 0L
    ids.foreach(id => if (isMeant(id)) n += 1)
    n
  }
}
