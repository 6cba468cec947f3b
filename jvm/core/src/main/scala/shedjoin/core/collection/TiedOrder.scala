package shedjoin.core.collection

/** By the ties' second number, then by content, and by id where these tell nothing. */
final private[collection] class TiedOrder(ties: RankTies) extends HeapOrder {
  def isEarlier(a: Int, b: Int): Boolean = isEarlier(a, ties.second(a), b, ties.second(b))

  /** The same where the second numbers are known. */
  def isEarlier(a: Int, secondA: Long, b: Int, secondB: Long): Boolean =
    secondA < secondB || secondA == secondB && isEarlierTied(a, b)

  private def isEarlierTied(a: Int, b: Int): Boolean = {
    val byContent = ties.compare(a, b)
    byContent < 0 || byContent == 0 && a < b
  }
}
