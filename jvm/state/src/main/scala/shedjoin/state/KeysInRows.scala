package shedjoin.state

import shedjoin.core.Bytes
import shedjoin.core.join.Side

/** Where the key of a row stands in the row itself, so that a file need not hold it twice.
  *
  * @param zeros how many zero bytes a key begins with, before the words
  * @param words where in the row the key's words of 8 bytes begin, in the order of the key; none where keys are not in rows
  * @param bits  the bits of the row, the lowest of each byte first, of which one is set in a row that has another key
  */
final case class KeyInRow(zeros: Int, words: Vector[Int], bits: Vector[Int]) {
  private val from = words.toArray
  private val masks = bits.toArray

  /** How many of a row's first bytes its key is made from. */
  private[state] val end: Int = (words.map(_ + 8) ++ bits.map(_ / 8 + 1)).maxOption.getOrElse(0)

  val isKnown: Boolean = words.nonEmpty && words.size <= KeyInRow.MostWords && bits.size <= KeyInRow.MostWords &&
    zeros <= 8 * words.size

  def length: Int = zeros + 8 * from.length

  /** Whether the row of these bytes is long enough to hold its key. */
  def fits(rowLength: Int): Boolean = rowLength >= end

  /** Whether the key of the row at `at` is the one that `copy` makes. O(words). */
  def holds(row: Array[Byte], at: Int): Boolean = isKnown && {
    var i = 0
    while (i < masks.length && (row(at + (masks(i) >> 3)) & (1 << (masks(i) & 7))) == 0) i += 1
    i == masks.length
  }

  /** Makes the key of the row at `at` of `row`, from 0 on in `to`. O(words). */
  def copy(row: Array[Byte], at: Int, to: Array[Byte]): Unit = {
    java.util.Arrays.fill(to, 0, zeros, 0.toByte)
    var i = 0
    while (i < from.length) {
      Bytes.putLong(to, zeros + 8 * i, Bytes.getLong(row, at + from(i)))
      i += 1
    }
  }

  private[state] def write(to: FrameWriter): Unit = {
    to.putVar(if (isKnown) words.size else 0)
    if (isKnown) {
      to.putVar(zeros)
      words.foreach(to.putVar(_))
      to.putVar(bits.size)
      bits.foreach(to.putVar(_))
    }
  }
}

object KeyInRow {

  /** Keys of more words than that are known in full only. */
  val MostWords = 4096

  val Unknown: KeyInRow = KeyInRow(0, Vector.empty, Vector.empty)
}

/** The same for both sides. */
final case class KeysInRows(left: KeyInRow, right: KeyInRow) {
  def of(side: Int): KeyInRow = if (side == Side.Left) left else right
  val isKnown: Boolean = left.isKnown || right.isKnown
  val areKnown: Boolean = left.isKnown && right.isKnown

  private[state] def write(to: FrameWriter): Unit = {
    left.write(to)
    right.write(to)
  }
}

object KeysInRows {
  val Unknown: KeysInRows = KeysInRows(KeyInRow.Unknown, KeyInRow.Unknown)
}
