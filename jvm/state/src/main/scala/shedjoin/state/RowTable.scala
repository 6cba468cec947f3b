package shedjoin.state

import shedjoin.core.collection.IntTable
import shedjoin.core.{Budget, NoRow}

/** What is known of each stored row but its bytes: 32 bytes a row, found by the row's id. */
final class RowTable(budget: Budget) {
  import RowTable._

  val cells = new IntTable(Stride, budget)

  def address(id: Int): Int = cells(id, Address)
  def key(id: Int): Int = cells(id, KeyAndFlags) >>> FlagBits
  def side(id: Int): Int = cells(id, KeyAndFlags) & SideBit
  def time(id: Int): Long = cells.getLong(id, Time)
  def isMatched(id: Int): Boolean = (cells(id, KeyAndFlags) & MatchedBit) != 0
  def isLinked(id: Int): Boolean = (cells(id, KeyAndFlags) & LinkedBit) != 0

  def isFresh(id: Int): Boolean = (cells(id, KeyAndFlags) & FreshBit) != 0

  def setKey(id: Int, key: Int): Unit =
    cells(id, KeyAndFlags) = (key << FlagBits) | (cells(id, KeyAndFlags) & FlagMask)

  def setMatched(id: Int, on: Boolean): Unit = setBit(id, MatchedBit, on)
  def setLinked(id: Int, on: Boolean): Unit = setBit(id, LinkedBit, on)

  /** Whether the row was stored by the version that is being written or can still be undone. */
  def setFresh(id: Int, on: Boolean): Unit = setBit(id, FreshBit, on)

  /** Fills the cells of a new row, which is in no chain yet. */
  def put(id: Int, address: Int, key: Int, side: Int, time: Long, matched: Boolean): Unit = {
    val c = cells.chunk(id)
    val at = cells.base(id)
    c(at + Address) = address
    c(at + KeyAndFlags) = (key << FlagBits) | side | (if (matched) MatchedBit else 0)
    c(at + Next) = NoRow
    c(at + Prev) = NoRow
    c(at + TimerNext) = NoRow
    c(at + TimerPrev) = NoRow
    c(at + Time) = (time >>> 32).toInt
    c(at + Time + 1) = time.toInt
  }

  private def setBit(id: Int, bit: Int, on: Boolean): Unit = {
    val word = cells(id, KeyAndFlags)
    cells(id, KeyAndFlags) = if (on) word | bit else word & ~bit
  }
}

object RowTable {
  val Stride = 8
  val RowBytes: Int = Stride * 4
  val Address = 0
  val KeyAndFlags = 1
  val Next = 2
  val Prev = 3
  val TimerNext = 4
  val TimerPrev = 5
  val Time = 6

  val SideBit = 1
  val MatchedBit = 2
  val LinkedBit = 4
  val FreshBit = 8
  val FlagBits = 4
  private val FlagMask = (1 << FlagBits) - 1

  /** How many keys fit beside the flags. */
  val KeyLimit: Int = 1 << (31 - FlagBits)
}
