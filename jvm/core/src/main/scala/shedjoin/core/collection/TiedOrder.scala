package shedjoin.core.collection

/** By the ties' second number, then by content, and by id where these tell nothing. */
final private[collection] class TiedOrder(ties: RankTies) extends HeapOrder {
  def isEarlier(a: Int, b: Int): Boolean = {
    val secondA = ties.second(a)
    val secondB = ties.second(b)
    secondA < secondB || secondA == secondB && isEarlierTied(a, b)
  }

  private def isEarlierTied(a: Int, b: Int): Boolean = {
    val byContent = ties.compare(a, b)
    byContent < 0 || byContent == 0 && a < b
  }
}
