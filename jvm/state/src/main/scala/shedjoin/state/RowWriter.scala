package shedjoin.state

import shedjoin.core.Budget
import shedjoin.core.join.JoinShape

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
  private val seen = new Array[KeyInRow](2)
  private val isSame = new Array[Boolean](2)

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

  /** Puts a row as it comes from another file, with the key if that has it. O(length). */
  def copy(id: Int, side: Int, matched: Boolean, time: Long, bytes: RowBytes, budget: Budget): Unit = {
    val leavesOut = bytes.keyInRow != null && standsAlike(side, bytes.keyInRow)
    putHead(id, side, matched, time, leavesOut)
    if (!leavesOut) putLength(bytes.keyLength)
    putLength(bytes.length)
    if (bytes.keyInRow != null && !leavesOut) putMadeKey(bytes, budget)
    bytes.copyTo(to)
  }

  /** Whether keys that stand there in rows are left out here too. */
  private def standsAlike(side: Int, inRow: KeyInRow): Boolean = {
    if (inRow ne seen(side)) {
      seen(side) = inRow
      isSame(side) = inRow == keys.of(side)
    }
    isSame(side)
  }

  /** The key that the other file left out, and the part of the row that it is made from. */
  private def putMadeKey(bytes: RowBytes, budget: Budget): Unit = {
    val buffer = new RowBuffer(budget, mayReclaim = false)
    try {
      val (inRow, start) = (bytes.keyInRow, bytes.keyLength)
      val held = buffer.of(start + inRow.end)
      bytes.readRow(held, start, inRow.end)
      inRow.copy(held, start, held)
      putBytes(held, 0, start + inRow.end)
    } finally buffer.release()
  }
}
