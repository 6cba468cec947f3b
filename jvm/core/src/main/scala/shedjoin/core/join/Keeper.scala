package shedjoin.core.join

import shedjoin.core.NoRow

/** Decides which rows a join keeps; told all that happens, in the order in which it happens. */
trait Keeper {

  /** Time has come to `tick`; it never goes back. */
  def ticks(tick: Long): Unit

  /** A row joins now, and is to be kept or not. */
  def comes(row: Incoming): Unit

  /** A stored row is a partner of the one that joins now. */
  def meets(row: Int): Unit

  /** A stored row is in reach of the one that joins now, but the rest of the condition does not hold. */
  def rejects(row: Int): Unit

  /** The row that is to be shed before the one that joins now can be stored; `NoRow` if it can be, `PassOn` if it is too
    * large for that ever to be so.
    */
  def inTheWay(row: Incoming): Int

  /** The row that joins now was stored under this id, having met so many partners. Can not fail. */
  def stored(row: Int, matches: Int): Unit

  /** The row that joins now is not stored. Can not fail. */
  def passes(row: Incoming, why: Departure): Unit

  /** The row to be shed next, or `NoRow` as long as there is memory. */
  def victim(): Int

  /** A stored row is about to go. Can not fail. */
  def goes(row: Int, why: Departure): Unit

  /** Whether a row that expires unmatched is so in the exact result for certain: then its null row comes out. */
  def isCertain(row: Int): Boolean

  /** The same of the row that joins now, which no later row can reach. */
  def isCertainNow(row: Incoming): Boolean
}

object Keeper {
  val PassOn: Int = -2

  /** Keeps every row: the exact join. */
  object Everything extends Keeper {
    def ticks(tick: Long): Unit = ()
    def comes(row: Incoming): Unit = ()
    def meets(row: Int): Unit = ()
    def rejects(row: Int): Unit = ()
    def inTheWay(row: Incoming): Int = NoRow
    def stored(row: Int, matches: Int): Unit = ()
    def passes(row: Incoming, why: Departure): Unit = ()
    def victim(): Int = NoRow
    def goes(row: Int, why: Departure): Unit = ()
    def isCertain(row: Int): Boolean = true
    def isCertainNow(row: Incoming): Boolean = true
  }
}
