package shedjoin.core.collection

/** An order of rows that may change as time goes by. */
trait RowRanking {

  /** Whether `a` comes before `b` now; never so both ways round. O(1). */
  def precedes(a: Int, b: Int): Boolean

  /** Given that `first` comes before `second` now: no later than the first tick at which that may have changed, and after
    * now. O(1), but for what the ranking says itself.
    */
  def holdsUntil(first: Int, second: Int): Long
}

object RowRanking {
  val Forever: Long = Long.MaxValue
}
