package shedjoin.core.policy

/** What the state knows of its stored rows, by their ids. */
trait RowFacts {
  def side(row: Int): Int

  /** A small number that the rows of one join key share, of both sides, as long as one of them is stored. */
  def key(row: Int): Int

  /** The join attribute as a number; a hash of it where it is none. */
  def value(row: Int): Long

  /** The last tick at which a row may come that this one matches, or `Never`. */
  def lastTick(row: Int): Long

  /** How much the user values results of this row. */
  def importance(row: Int): Double

  /** What the row takes of memory; only how much more than another one matters. */
  def bytes(row: Int): Int = 1

  /** An order by content and side that favours no side; 0 only for rows that can not be told apart. */
  def compareContent(a: Int, b: Int): Int

  /** How many ticks after `tick` the row can still match at. O(1). */
  final def lifeLeft(row: Int, tick: Long): Long = {
    val last = lastTick(row)
    if (last == RowFacts.Never) last else last - tick
  }

  /** By content, and by id of rows that can not be told apart: so no history decides. O(1). */
  final def compare(a: Int, b: Int): Int = {
    val byContent = compareContent(a, b)
    if (byContent != 0) byContent else Integer.compare(a, b)
  }

  /** Which of two rows of equal rank goes first: the one with less life left, then by content, then by id. O(1). */
  final def compareTied(a: Int, b: Int): Int = {
    val byLife = java.lang.Long.compare(lastTick(a), lastTick(b))
    if (byLife != 0) byLife else compare(a, b)
  }
}

object RowFacts {

  /** The last tick of a row that always can match. */
  val Never: Long = Long.MaxValue
}
