package shedjoin.state

import shedjoin.core.Budget

/** The keys of some rows that were taken in a moment ago and are not yet looked up, so that they can be in a group. */
final class PendingKeys {
  import PendingKeys._

  val bytes = new Array[Byte](Capacity)
  private val froms = new Array[Int](ReadAhead.Rows + 1)
  private val codes = new Array[Long](ReadAhead.Rows)
  private val owners = new Array[Int](ReadAhead.Rows)
  private var count = 0

  def size: Int = count
  def from(place: Int): Int = froms(place)
  def length(place: Int): Int = froms(place + 1) - froms(place)

  /** See [[WordKey]]. */
  def code(place: Int): Long = codes(place)
  def hash(place: Int): Int = WordKey.hash(codes(place))

  /** Whose key it is. */
  def owner(place: Int): Int = owners(place)

  /** Whether there is room for another key of `length`. */
  def fits(length: Int): Boolean = count < ReadAhead.Rows && length <= Capacity - froms(count)

  /** Adds a copy of a key that `fits`. */
  def add(owner: Int, key: Array[Byte], keyFrom: Int, length: Int): Unit = {
    val start = froms(count)
    System.arraycopy(key, keyFrom, bytes, start, length)
    codes(count) = WordKey.codeOf(key, keyFrom, length)
    owners(count) = owner
    count += 1
    froms(count) = start + length
  }

  def clear(): Unit = count = 0
}

object PendingKeys {
  val Capacity = 4096

  val HeapBytes: Long = Budget.arrayBytes(Capacity, 1) + 2 * Budget.arrayBytes(ReadAhead.Rows + 1, 4) +
    Budget.arrayBytes(ReadAhead.Rows, 8) + 64
}
