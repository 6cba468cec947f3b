package shedjoin.state

import shedjoin.core.Budget

/** How many records of each size there are, up to `most` bytes, and how many above and of how many bytes. */
final class RecordSizes(budget: Budget, most: Int) {
  budget.reserve(RecordSizes.bytesFor(most))
  private val counts = new Array[Int](most / 8 + 1)
  private var above = 0
  private var aboveTotal = 0L

  def aboveCount: Int = above
  def aboveBytes: Long = aboveTotal

  def add(size: Int): Unit = change(size, 1)
  def remove(size: Int): Unit = change(size, -1)

  private def change(size: Int, by: Int): Unit =
    if (size <= most) counts(size >>> 3) += by
    else {
      above += by
      aboveTotal += size.toLong * by
    }

  /** The bytes of the `count` largest of those up to `most`. O(most). */
  def largest(count: Long): Long = {
    var bytes = 0L
    var left = count
    var words = counts.length - 1
    while (words > 0 && left > 0) {
      val taken = math.min(left, counts(words).toLong)
      bytes += taken * words * 8
      left -= taken
      words -= 1
    }
    bytes
  }
}

object RecordSizes {
  def bytesFor(most: Int): Long = Budget.arrayBytes(most / 8 + 1, 4)
}
