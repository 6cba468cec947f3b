package shedjoin.core.join

/** The rows of one side that were taken from the input and are not yet stored, named by their place in canonical order. */
trait StagedRows {

  /** Puts them into canonical order and returns how many there are. */
  def arrange(): Int

  /** Told now and then which come next, so that what their probes of `probed` read can be fetched at once. */
  def readAhead(from: Int, until: Int, probed: Int): Unit
  def stagedKey(place: Int): Int
  def stagedTime(place: Int): Long
  def stagedAddress(place: Int): Int

  /** Stores one, and returns its id. */
  def store(place: Int, side: Int, matched: Boolean): Int

  /** Lets one go without storing it. */
  def discard(place: Int): Unit

  /** Forgets their places; all of them were stored or discarded. */
  def clearStaged(): Unit
}
