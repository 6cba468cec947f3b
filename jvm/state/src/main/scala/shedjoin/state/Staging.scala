package shedjoin.state

import shedjoin.core.Budget
import shedjoin.core.collection.IntTable

/** The rows of one side of a batch that are in the row log and not yet stored, and their canonical order.
  *
  * Canonical order is that of event times, then of the rows' bytes; so whatever order the shuffle brought the rows in,
  * they are stored in the same one, under the same ids.
  */
final class Staging(log: RowLog, budget: Budget) {
  import Staging._

  private val cells = new IntTable(4, budget, ChunkShift)
  private val order = new IdList(budget)
  private var count = 0

  def size: Int = count

  /** Makes room for one more row, so that `add` can not fail. */
  def ensureRoom(): Unit = {
    cells.ensure(count + 1)
    order.ensureRoom(1)
  }

  def add(address: Int, key: Int, time: Long): Unit = {
    cells(count, Address) = address
    cells(count, Key) = key
    cells.putLong(count, Time, time)
    order.add(count)
    count += 1
  }

  /** Puts the rows into canonical order. O(n), or O(n log n) when they came out of order. */
  def arrange(): Unit = order.sort(isBefore)

  def indexAt(place: Int): Int = order(place)
  def key(index: Int): Int = cells(index, Key)
  def time(index: Int): Long = cells.getLong(index, Time)

  /** The row's address, or `Settled`. */
  def address(index: Int): Int = if (index < count) cells(index, Address) else Settled
  def setAddress(index: Int, address: Int): Unit = cells(index, Address) = address

  /** Notes that the row was stored or discarded. */
  def settle(index: Int): Unit = cells(index, Address) = Settled

  def clear(): Unit = {
    count = 0
    cells.trim(1)
    order.clear()
  }

  private val isBefore: IdOrder = (a, b) => {
    val byTime = java.lang.Long.compare(time(a), time(b))
    byTime < 0 || (byTime == 0 && compareBytes(cells(a, Address), cells(b, Address)) < 0)
  }

  private def compareBytes(a: Int, b: Int): Int = {
    val fromA = log.offset(a)
    val fromB = log.offset(b)
    java.util.Arrays.compareUnsigned(
      log.page(a), fromA, fromA + log.length(a), log.page(b), fromB, fromB + log.length(b))
  }
}

object Staging {
  private val Address = 0
  private val Key = 1
  private val Time = 2
  private val ChunkShift = 10

  val Settled = -1
}
