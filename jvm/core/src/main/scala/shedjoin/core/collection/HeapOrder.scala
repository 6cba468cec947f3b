package shedjoin.core.collection

/** Which of two rows of one set comes first. */
private[collection] trait HeapOrder {
  def isEarlier(a: Int, b: Int): Boolean
}
