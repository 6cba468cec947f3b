package shedjoin.core.join

/** The stored rows of a join, as a micro-batch needs them.
  *
  * Rows are named by their id, their bytes by an address, which holds until the next row is staged, stored, marked or
  * removed: each may take memory, and rows move to make room.
  */
trait RowStore {

  /** A row of this time joins now: moves the clock, and returns what it shows. It never goes back. */
  def tickAt(time: Long): Long

  /** The youngest row of this key and side that is no younger than `time`, or `NoRow`. */
  def lastUpTo(key: Int, side: Int, time: Long): Int

  /** The next older row of the same key and side, or `NoRow`. */
  def previous(row: Int): Int
  def time(row: Int): Long
  def address(row: Int): Int
  def isMatched(row: Int): Boolean
  def markMatched(row: Int): Unit

  /** Whether the row was stored in this batch. */
  def isFresh(row: Int): Boolean

  /** Takes a row out of its chain; its bytes can be read until the next row joins. */
  def remove(row: Int): Unit

  /** Some row of `side` whose time is at most `bound`, or `NoRow`. */
  def firstExpired(side: Int, bound: Long): Int
}

object RowStore {
  val NoAddress = -1
}
