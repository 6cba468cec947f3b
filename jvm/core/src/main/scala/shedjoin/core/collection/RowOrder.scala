package shedjoin.core.collection

import scala.annotation.unused

/** Which of two rows comes first: by weight, by a second number, by content, and by id where these tell nothing; and where
  * rows lie on a line, if they do.
  *
  * What it says of a row stays as long as the row is stored; only which one is earlier may change with time.
  */
trait RowOrder {
  def coordinate(row: Int): Long = 0

  /** At least 0; the row of lesser weight comes first. */
  def weight(row: Int): Double = 1

  /** Of two rows of one weight the one with the lesser number comes first. */
  def second(row: Int): Long = 0

  /** By content: negative where `a` comes first, 0 only for rows that can not be told apart. */
  def compare(a: Int, b: Int): Int

  /** Whether `a` comes before `b` now; never so both ways round. O(1). */
  def isEarlier(a: Int, b: Int): Boolean = {
    val weightA = weight(a)
    val weightB = weight(b)
    if (weightA != weightB) weightA < weightB else isEarlier(a, second(a), b, second(b))
  }

  /** The same for rows of one weight, whose second numbers are known. */
  final def isEarlier(a: Int, secondA: Long, b: Int, secondB: Long): Boolean =
    secondA < secondB || secondA == secondB && isEarlierTied(a, b)

  private def isEarlierTied(a: Int, b: Int): Boolean = {
    val byContent = compare(a, b)
    byContent < 0 || byContent == 0 && a < b
  }

  /** Given that `first` comes before `second` now: no later than the first tick at which that may have changed, and after
    * now. O(1), but for what the order says itself.
    */
  def holdsUntil(@unused first: Int, @unused second: Int): Long = RowOrder.Forever
}

object RowOrder {
  val Forever: Long = Long.MaxValue

  /** For what may come in any order. */
  object ById extends RowOrder {
    def compare(a: Int, b: Int): Int = Integer.compare(a, b)
  }
}
