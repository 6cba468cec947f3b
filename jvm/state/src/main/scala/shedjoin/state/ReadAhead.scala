package shedjoin.state

import shedjoin.core.join.SideBySide
import shedjoin.core.{Budget, NoRow}

/** Reads what is about to be used, some dozens of rows at a time, and changes nothing.
  *
  * Rows and keys lie all over the memory. Loads that do not depend on each other wait for it together; row by row they
  * would wait one after the other (Chen et al. 2004 call it group prefetching). Of cells that may lie across two cache
  * lines the first and the last are read.
  */
final class ReadAhead(rows: RowTable, keys: KeyTable, pages: RowPages) {
  import ReadAhead._

  private val ids = new Array[Int](Rows)
  private val entries = new Array[Int](Rows)
  private val addresses = new Array[Int](Rows)

  /** Keeps the compiler from leaving out loads whose values nobody wants. */
  private var read = 0L

  /** Before the staged rows of these keys probe one side and are stored on the other: the youngest rows of both, and the
    * next to youngest of the side that is probed.
    */
  def tails(staging: Staging, from: Int, until: Int, probed: Int): Unit = {
    val count = until - from
    var sum = 0L
    var i = 0
    while (i < count) {
      val staged = staging.indexAt(from + i)
      entries(i) = staging.key(staged)
      sum += pages.length(staging.address(staged))
      i += 1
    }
    i = 0
    while (i < count) {
      ids(i) = keys.tail(entries(i), probed)
      entries(i) = keys.tail(entries(i), 1 - probed)
      i += 1
    }
    i = 0
    while (i < count) {
      if (entries(i) != NoRow) sum += rows.key(entries(i)) + rows.time(entries(i))
      i += 1
    }
    read += sum
    candidates(count)
    i = 0
    while (i < count) {
      if (ids(i) != NoRow) ids(i) = math.max(NoRow, rows.cells(ids(i), RowTable.Prev))
      i += 1
    }
    candidates(count)
  }

  /** The cells and the records of the rows in `ids`. */
  private def candidates(count: Int): Unit = {
    var sum = 0L
    var i = 0
    while (i < count) {
      if (ids(i) == NoRow) addresses(i) = NoAddress
      else {
        addresses(i) = rows.address(ids(i))
        sum += rows.time(ids(i))
      }
      i += 1
    }
    read += sum
    addressed(count)
  }

  /** Before keys are looked up: the buckets, entries and bytes where they will be found, if at their first or second
    * tries.
    */
  def lookUps(pending: PendingKeys): Unit = {
    val count = pending.size
    var i = 0
    while (i < count) {
      entries(i) = keys.firstOf(pending.hash(i))
      i += 1
    }
    i = 0
    while (i < count) {
      if (entries(i) != KeyTable.NoKey) entries(i) = keys.thisOrNext(entries(i), pending.hash(i))
      i += 1
    }
    i = 0
    while (i < count) {
      addresses(i) = if (entries(i) == KeyTable.NoKey) NoAddress else keyAddress(entries(i))
      i += 1
    }
    addressed(count)
  }

  /** Where the bytes of a key lie that are not in its entry. */
  private def keyAddress(key: Int): Int = if (keys.isWord(key)) NoAddress else keys.address(key)

  /** Before rows that were read back and know their keys are linked to the chains: the ends of these. */
  def ends(pending: PendingKeys): Unit = {
    val count = pending.size
    var i = 0
    while (i < count) {
      val row = pending.owner(i)
      ids(i) = keys.head(rows.key(row), rows.side(row))
      entries(i) = keys.tail(rows.key(row), rows.side(row))
      i += 1
    }
    var sum = 0L
    while (i > 0) {
      i -= 1
      if (ids(i) != NoRow) sum += rows.key(ids(i)) + rows.time(ids(i))
      if (entries(i) != NoRow) sum += rows.key(entries(i)) + rows.time(entries(i))
    }
    read += sum
  }

  /** Before up to so many rows leave their chains, beginning with `first` and going on as the wheel links them: the rows
    * after them, and their keys.
    */
  def expiring(first: Int): Unit = {
    var sum = 0L
    var row = first
    var count = 0
    while (row != NoRow && count < Rows) {
      entries(count) = rows.key(row)
      ids(count) = rows.cells(row, RowTable.Next)
      row = rows.cells(row, RowTable.TimerNext)
      count += 1
    }
    while (count > 0) {
      count -= 1
      if (ids(count) != NoRow) sum += rows.cells(ids(count), RowTable.Prev)
      sum += keys.head(entries(count), 0) + keys.touch(entries(count))
    }
    read += sum
  }

  /** Before the rows of a list, from one place to before another, are written or freed: their bytes and, if wanted, their
    * keys and the bytes of those.
    */
  def records(list: IdList, from: Int, until: Int, withKeys: Boolean): Unit = {
    val count = until - from
    var sum = 0L
    var i = 0
    while (i < count) {
      val id = list(from + i)
      addresses(i) = rows.address(id)
      entries(i) = rows.key(id)
      i += 1
    }
    if (withKeys) {
      i = 0
      while (i < count) {
        sum += pages.length(addresses(i))
        addresses(i) = keyAddress(entries(i))
        i += 1
      }
    }
    read += sum
    addressed(count)
  }

  /** The records at `addresses`. */
  private def addressed(count: Int): Unit = {
    var sum = 0L
    var i = 0
    while (i < count) {
      if (addresses(i) != NoAddress) sum += pages.length(addresses(i))
      i += 1
    }
    read += sum
  }
}

object ReadAhead {

  /** How many rows at a time, at the most. */
  val Rows: Int = SideBySide.Ahead

  val HeapBytes: Long = 3 * Budget.arrayBytes(Rows, 4) + 64

  private val NoAddress = -1
}
