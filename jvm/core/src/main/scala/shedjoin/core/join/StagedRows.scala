package shedjoin.core.join

/** The rows of one side that were taken from the input and are not yet stored, in canonical order, and a cursor over them. */
trait StagedRows {

  /** Puts them into canonical order and returns how many there are. */
  def arrange(): Int

  /** Told now and then which come next, so that what their probes of `probed` read can be fetched at once. */
  def readAhead(from: Int, until: Int, probed: Int): Unit

  /** Goes to the row at a place. */
  def standAt(place: Int): Unit
  def stagedKey: Int
  def stagedTime: Long
  def stagedAddress: Int

  /** Stores the row, and returns its id. */
  def store(side: Int, matched: Boolean): Int

  /** Lets the row go without storing it. */
  def discard(): Unit

  /** Forgets them; all of them were stored or discarded. */
  def clearStaged(): Unit
}
