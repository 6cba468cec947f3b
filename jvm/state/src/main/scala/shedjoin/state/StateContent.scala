package shedjoin.state

import shedjoin.core.join.JoinShape

/** The content of a state file, in sections of a tag byte each:
  *
  * {{{
  * 1 tick     the largest event time seen (8 bytes), how many rows were taken (var)
  * 2 removed  count (var), ids ascending, each as its distance from the one before (var)
  * 3 matched  the same
  * 4 rows     count (var), and for each: id less the one before (signed), flags, time less the one before (signed;
  *            absent without a time), length of the key (var), of the row (var), the bytes of both
  * 0 end
  * }}}
  *
  * Flags: 1 right side, 2 matched, 4 has a time. A snapshot has no sections 2 and 3.
  */
object StateContent {
  val End = 0
  val Tick = 1
  val Removed = 2
  val Matched = 3
  val Rows = 4

  val RightFlag = 1
  val MatchedFlag = 2
  val TimeFlag = 4

  /** Writes what `state` changed since its version began. O(changes). */
  def writeDelta(state: JoinState, to: FrameWriter): Unit = {
    val journal = state.journal
    journal.sort()
    to.putByte(Tick)
    to.putLong(state.latestTime)
    to.putVar(state.rowsTaken)
    writeIds(Removed, journal.removed, !state.isFresh(_), to)
    writeIds(Matched, journal.matched, id => !state.isFresh(id) && state.holds(id), to)
    to.putByte(Rows)
    to.putVar(count(journal.added, state.holds))
    val rows = new RowWriter(to)
    state.inGroups(journal.added) { id =>
      if (state.holds(id)) {
        val key = state.keyAddress(id)
        val row = state.address(id)
        rows.put(id, state.side(id), state.isMatched(id), state.time(id), state.length(key), state.length(row))
        to.putBytes(state.page(key), state.offset(key), state.length(key))
        to.putBytes(state.page(row), state.offset(row), state.length(row))
      }
    }
    to.putByte(End)
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

  /** Hands the content of a file to `visitor`, and returns the file's chain. */
  def read(from: FrameReader, buffer: RowBuffer, visitor: StateVisitor): Long =
    try {
      var section = from.getByte()
      while (section != End) {
        section match {
          case Tick => visitor.tick(from.getLong(), from.getVar())
          case Removed => readIds(from, visitor.removed)
          case Matched => readIds(from, visitor.matched)
          case Rows => readRows(from, buffer, visitor)
          case other => throw from.damaged(s"it has the unknown section $other")
        }
        section = from.getByte()
      }
      from.finish()
    } finally buffer.release()

  private def readIds(from: FrameReader, f: Int => Unit): Unit = {
    var left = from.getVar()
    var id = 0L
    while (left > 0) {
      id += from.getVar()
      f(intOf(id, from))
      left -= 1
    }
  }

  private def readRows(from: FrameReader, buffer: RowBuffer, visitor: StateVisitor): Unit = {
    var left = from.getVar()
    var id = 0L
    var time = 0L
    while (left > 0) {
      id += from.getSigned()
      val flags = from.getByte()
      if ((flags & TimeFlag) != 0) time += from.getSigned()
      val keyLength = intOf(from.getVar(), from)
      val length = intOf(from.getVar(), from)
      val bytes = buffer.of(intOf(keyLength.toLong + length, from))
      from.getBytes(bytes, 0, keyLength + length)
      val rowTime = if ((flags & TimeFlag) != 0) time else JoinShape.NoTime
      visitor.row(intOf(id, from), flags & RightFlag, (flags & MatchedFlag) != 0, rowTime, bytes, keyLength, length)
      left -= 1
    }
  }

  /** An id or a length, neither of which is negative. */
  private def intOf(number: Long, from: FrameReader): Int =
    if (number == (number.toInt & Int.MaxValue)) number.toInt
    else throw from.damaged(s"it has the id or length $number")
}

/** Who takes the rows of a state file. */
trait RowVisitor {

  /** The key's bytes come first in `bytes`, then the row's; they may be overwritten after the call. */
  def row(id: Int, side: Int, matched: Boolean, time: Long, bytes: Array[Byte], keyLength: Int, length: Int): Unit
}

/** Who takes the content of a state file. */
trait StateVisitor extends RowVisitor {
  def tick(latestTime: Long, rowsTaken: Long): Unit
  def removed(id: Int): Unit
  def matched(id: Int): Unit
}

/** Writes the head of each row of a rows section. */
final class RowWriter(to: FrameWriter) {
  private var idBefore = 0
  private var timeBefore = 0L

  def put(id: Int, side: Int, matched: Boolean, time: Long, keyLength: Int, length: Int): Unit = {
    val hasTime = time != JoinShape.NoTime
    to.putSigned(id.toLong - idBefore)
    to.putByte(side | (if (matched) StateContent.MatchedFlag else 0) | (if (hasTime) StateContent.TimeFlag else 0))
    if (hasTime) to.putSigned(time - timeBefore)
    to.putVar(keyLength)
    to.putVar(length)
    idBefore = id
    if (hasTime) timeBefore = time
  }
}
