package shedjoin.core.join

/** What a micro-batch needs of the rows: those staged, that is taken from the input and not yet stored, and those stored.
  *
  * Staged rows are named by their place in canonical order, stored ones by their id; the bytes of both by an address,
  * which holds until the next row is staged, stored, marked or removed: each may take memory, and rows move to make room.
  */
trait JoinStore {

  /** Puts the staged rows into canonical order and returns how many there are. */
  def arrange(): Int

  /** Told now and then which staged rows come next, so that what their probes of `probed` read can be fetched at once. */
  def readAhead(from: Int, until: Int, probed: Int): Unit
  def stagedKey(place: Int): Int
  def stagedTime(place: Int): Long
  def stagedAddress(place: Int): Int

  /** Stores a staged row. */
  def store(place: Int, side: Int, matched: Boolean): Unit

  /** Lets a staged row go without storing it. */
  def discard(place: Int): Unit

  /** Forgets the places of the staged rows, all of which were stored or discarded. */
  def clearStaged(): Unit

  /** The youngest row of this key and side that is no younger than `time`, or `NoRow`. */
  def lastUpTo(key: Int, side: Int, time: Long): Int

  /** The next older row of the same key and side, or `NoRow`. */
  def previous(row: Int): Int
  def time(row: Int): Long
  def address(row: Int): Int
  def isMatched(row: Int): Boolean
  def markMatched(row: Int): Unit

  /** Takes a row out of its chain; its bytes can be read until the batch is over. */
  def remove(row: Int): Unit

  /** Some row of `side` whose time is at most `bound`, or `NoRow`. */
  def firstExpired(side: Int, bound: Long): Int
}

object JoinStore {
  val NoAddress = -1
}
