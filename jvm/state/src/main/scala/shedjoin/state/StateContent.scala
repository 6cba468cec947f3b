package shedjoin.state

import shedjoin.core.join.JoinShape

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

  /** No number that says where a key stands is larger. */
  private val MostInKey = 1 << 24

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

  /** Hands the content of a file to `visitor`, and returns the file's chain. */
  def read(from: FrameReader, buffer: RowBuffer, visitor: StateVisitor): Long =
    try {
      var keys = KeysInRows.Unknown
      var section = from.getByte()
      while (section != End) {
        section match {
          case Tick => visitor.tick(from.getLong(), from.getVar(), rowsStored(from))
          case Removed => readIds(from, visitor.removed)
          case Matched => readIds(from, visitor.matched)
          case Keys =>
            keys = KeysInRows(readKey(from), readKey(from))
            visitor.keys(keys)
          case Rows => readRows(from, buffer, keys, visitor)
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

  private def rowsStored(from: FrameReader): Long =
    if (from.header.format > FileHeader.OldestFormat) from.getVar() else Untold

  private def readKey(from: FrameReader): KeyInRow = {
    def small() = {
      val number = from.getVar()
      if (number < 0 || number > MostInKey) throw from.damaged(s"it says $number of where keys stand in rows")
      number.toInt
    }
    val words = small()
    if (words == 0) KeyInRow.Unknown
    else {
      val zeros = small()
      val places = Vector.fill(words)(small())
      KeyInRow(zeros, places, Vector.fill(small())(small()))
    }
  }

  private def readRows(from: FrameReader, buffer: RowBuffer, keys: KeysInRows, visitor: StateVisitor): Unit = {
    var left = from.getVar()
    var id = 0L
    var time = 0L
    while (left > 0) {
      id += from.getSigned()
      val flags = from.getByte()
      if ((flags & TimeFlag) != 0) time += from.getSigned()
      val inRow = if ((flags & NoKeyFlag) != 0) keys.of(flags & RightFlag) else null
      val keyLength = if (inRow == null) intOf(from.getVar(), from) else inRow.length
      val length = intOf(from.getVar(), from)
      val bytes = buffer.of(intOf(keyLength.toLong + length, from))
      if (inRow == null) from.getBytes(bytes, 0, keyLength + length)
      else {
        if (!inRow.isKnown || !inRow.fits(length)) throw from.damaged(s"a row of $length bytes does not hold its key")
        from.getBytes(bytes, keyLength, length)
        inRow.copy(bytes, keyLength)
      }
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

  /** `rowsStored` is `Untold` in the oldest format. */
  def tick(latestTime: Long, rowsTaken: Long, rowsStored: Long): Unit
  def removed(id: Int): Unit
  def matched(id: Int): Unit

  /** Told before the rows, by a file that leaves out keys. */
  def keys(inRows: KeysInRows): Unit
}

/** Writes the sections of where keys stand in rows, and of `count` rows: of each the head, the lengths and the bytes of the
  * key, unless it is left out, and of the row.
  */
final class RowWriter(keys: KeysInRows, count: Long, to: FrameWriter) {
  import StateContent._

  if (keys.isKnown) {
    to.putByte(Keys)
    keys.write(to)
  }
  to.putByte(Rows)
  to.putVar(count)
  private var idBefore = 0
  private var timeBefore = 0L

  /** Whether the key of the row at `from` is left out, to be made from the row. */
  def leavesOutKey(side: Int, row: Array[Byte], from: Int): Boolean = keys.of(side).holds(row, from)

  def putHead(id: Int, side: Int, matched: Boolean, time: Long, leavesOutKey: Boolean): Unit = {
    val hasTime = time != JoinShape.NoTime
    to.putSigned(id.toLong - idBefore)
    to.putByte(
      side | (if (matched) MatchedFlag else 0) | (if (hasTime) TimeFlag else 0) | (if (leavesOutKey) NoKeyFlag else 0)
    )
    if (hasTime) to.putSigned(time - timeBefore)
    idBefore = id
    if (hasTime) timeBefore = time
  }

  def putLength(length: Int): Unit = to.putVar(length)
  def putBytes(bytes: Array[Byte], from: Int, length: Int): Unit = to.putBytes(bytes, from, length)
}
