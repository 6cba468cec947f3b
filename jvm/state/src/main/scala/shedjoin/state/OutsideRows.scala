package shedjoin.state

import shedjoin.core.join.Incoming

/** A row that lies outside of the state, and its key. */
trait OutsideRow {
  def side: Int
  def time: Long
  def key: Array[Byte]
  def keyFrom: Int
  def keyLength: Int
  def bytes: Array[Byte]
  def from: Int
  def length: Int
}

/** The rows of both sides of a batch, in order of time, side and bytes, those without a time last, one at a time. */
trait OutsideRows extends OutsideRow {

  /** Moves to the next row; false when there is none. */
  def advance(): Boolean

  /** Whether the row can match nothing; it may come in any place. */
  def isAlone: Boolean
}

/** Rows that come from outside of the budget: a batch may be larger than the memory. Only what is kept is copied. */
final class Arriving(state: JoinState, rows: OutsideRows) extends Incoming {
  def isMerged: Boolean = true
  def advance(): Boolean = rows.advance()
  def isAlone: Boolean = rows.isAlone
  def side: Int = rows.side
  def key: Int = state.find(rows)
  def time: Long = rows.time
  def address: Int = Incoming.Outside
  def store(isMatched: Boolean): Int = state.store(rows, isMatched)
  def discard(): Unit = ()
}
