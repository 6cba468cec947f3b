package shedjoin.state

import shedjoin.core.join.JoinShape

/** Reads the content of one file, which is as [[StateContent]] says, and checks each number before it is used.
  *
  * Ids are the lowest free ones, so each is below the number of rows that were ever taken.
  *
  * @param believe see [[RowBytes]]
  */
final class ContentReader(from: FrameReader, visitor: StateVisitor, believe: () => Unit) {
  import ContentReader._
  import StateContent._

  private val bytes = new RowBytes(from, believe)
  private var keys = KeysInRows.Unknown
  private var taken = 0L

  /** Hands everything to the visitor, and returns the file's chain. O(content). */
  def read(): Long = {
    var section = from.getByte()
    while (section != End) {
      section match {
        case Tick => readTick()
        case Removed => readIds(visitor.removed)
        case Matched => readIds(visitor.matched)
        case Keys =>
          keys = KeysInRows(readKey(), readKey())
          visitor.keys(keys)
        case Rows => readRows()
        case other => throw from.damaged(s"it has the unknown section $other")
      }
      section = from.getByte()
    }
    from.finish()
  }

  private def readTick(): Unit = {
    val latest = from.getLong()
    taken = from.getVar()
    visitor.tick(latest, taken, if (from.header.format > FileHeader.OldestFormat) from.getVar() else Untold)
  }

  private def readIds(f: Int => Unit): Unit = {
    var left = from.getVar()
    var id = 0L
    while (left > 0) {
      id += from.getVar()
      f(idOf(id))
      left -= 1
    }
  }

  private def readKey(): KeyInRow = {
    val words = small(KeyInRow.MostWords)
    if (words == 0) KeyInRow.Unknown
    else {
      val zeros = small(8 * words)
      val places = Vector.fill(words)(small(MostPlace))
      KeyInRow(zeros, places, Vector.fill(small(KeyInRow.MostWords))(small(MostPlace)))
    }
  }

  private def small(most: Int): Int = {
    val number = from.getVar()
    if (number < 0 || number > most) throw from.damaged(s"it says $number of where keys stand in rows")
    number.toInt
  }

  private def readRows(): Unit = {
    var left = from.getVar()
    var id = 0L
    var time = 0L
    while (left > 0) {
      id += from.getSigned()
      val flags = from.getByte()
      if ((flags & TimeFlag) != 0) time += from.getSigned()
      beginRow(if ((flags & NoKeyFlag) != 0) keys.of(flags & RightFlag) else null)
      val rowTime = if ((flags & TimeFlag) != 0) time else JoinShape.NoTime
      visitor.row(idOf(id), flags & RightFlag, (flags & MatchedFlag) != 0, rowTime, bytes)
      bytes.skip()
      left -= 1
    }
  }

  private def beginRow(inRow: KeyInRow): Unit = {
    val keyLength = if (inRow == null) lengthOf(from.getVar()) else inRow.length
    val length = lengthOf(from.getVar())
    if (inRow != null && (!inRow.isKnown || !inRow.fits(length)))
      throw from.damaged(s"a row of $length bytes does not hold its key")
    bytes.begin(inRow, keyLength, length)
  }

  private def idOf(number: Long): Int =
    if (number >= 0 && number < taken && number <= Int.MaxValue) number.toInt
    else throw from.damaged(s"it names row $number, and $taken rows were taken")

  private def lengthOf(number: Long): Int =
    if (number >= 0 && number <= MostBytes) number.toInt
    else throw from.damaged(s"it has the length $number; the most is $MostBytes")
}

object ContentReader {

  /** What an array can hold, and the head of a record with it. */
  private val MostBytes = Int.MaxValue - 64

  /** No byte or bit of a row that a key is made of stands farther. */
  private val MostPlace = 1 << 24
}
