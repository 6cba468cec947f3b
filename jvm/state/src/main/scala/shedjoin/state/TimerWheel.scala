package shedjoin.state

import shedjoin.core.NoRow

/** The rows of one side by the time they expire, so that finding the expired costs nothing for the others.
  *
  * Representation: a radix queue, that is a hierarchical timing wheel (Varghese and Lauck 1987) of base 64. `now` is the
  * latest bound asked for; a row lies at the level of the highest digit in which its time differs from `now`, in the slot
  * of that digit, or in the list of those due. When `now` moves, one slot a level is dealt out again: a row moves at most
  * once a level in its life. Lists run through the row table.
  */
final class TimerWheel(rows: RowTable) {
  import TimerWheel._

  private val cells = rows.cells
  private val heads = Array.fill(Slots)(NoRow)
  private var now = Long.MinValue

  /** Adds a row. O(1). */
  def add(row: Int): Unit = {
    val slot = slotOf(rows.time(row))
    val head = heads(slot)
    cells(row, RowTable.TimerNext) = head
    cells(row, RowTable.TimerPrev) = NoRow
    if (head != NoRow) cells(head, RowTable.TimerPrev) = row
    heads(slot) = row
  }

  /** Removes a row. O(1). */
  def remove(row: Int): Unit = {
    val before = cells(row, RowTable.TimerPrev)
    val after = cells(row, RowTable.TimerNext)
    if (before == NoRow) {
      val slot = slotOf(rows.time(row))
      if (heads(slot) != row) throw new AssertionError(s"row $row is not the head of slot $slot")
      heads(slot) = after
    } else cells(before, RowTable.TimerNext) = after
    if (after != NoRow) cells(after, RowTable.TimerPrev) = before
  }

  /** Some row whose time is at most `bound`, or `NoRow`; it stays until it is removed. Amortised O(1). */
  def firstUpTo(bound: Long): Int = {
    if (bound > now) advance(bound)
    var row = heads(Due)
    if (bound < now) while (row != NoRow && rows.time(row) > bound) row = cells(row, RowTable.TimerNext)
    row
  }

  private def advance(bound: Long): Unit = {
    val top = levelOf(bound)
    val from = digit(now, top)
    val to = digit(bound, top)
    now = bound
    var slot = 0
    while (slot < top * Base) {
      deal(slot)
      slot += 1
    }
    slot = top * Base + from
    while (slot <= top * Base + to) {
      deal(slot)
      slot += 1
    }
  }

  private def deal(slot: Int): Unit = {
    var row = heads(slot)
    heads(slot) = NoRow
    while (row != NoRow) {
      val next = cells(row, RowTable.TimerNext)
      add(row)
      row = next
    }
  }

  private def slotOf(time: Long): Int =
    if (time <= now) Due
    else {
      val level = levelOf(time)
      level * Base + digit(time, level)
    }

  private def levelOf(time: Long): Int = (63 - java.lang.Long.numberOfLeadingZeros(time ^ now)) / DigitBits

  private def digit(time: Long, level: Int): Int =
    (((time ^ Long.MinValue) >>> (level * DigitBits)) & (Base - 1)).toInt

  def checkInvariants(expected: Seq[Int]): Unit = {
    val found = heads.indices.flatMap { slot =>
      val list = Iterator.iterate(heads(slot))(cells(_, RowTable.TimerNext)).takeWhile(_ != NoRow).toVector
      list.foreach(row => assert(slotOf(rows.time(row)) == slot, s"row $row lies in slot $slot, now is $now"))
      list
    }
    assert(found.sorted == expected.sorted, s"the wheel holds ${found.sorted}, not ${expected.sorted}")
  }
}

object TimerWheel {
  private val DigitBits = 6
  private val Base = 1 << DigitBits
  private val Levels = 11
  private val Due = Levels * Base
  private val Slots = Due + 1

  val HeapBytes: Long = shedjoin.core.Budget.arrayBytes(Slots, 4) + 64
}
