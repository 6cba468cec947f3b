package shedjoin.state

/** Whose a record of the log is, as one number: a stored row's is its id; of those below 0 keys have the odd ones, and staged
  * rows the even ones.
  */
private[state] object Owner {
  def isRow(owner: Int): Boolean = owner >= 0

  /** Whether an owner that is no stored row is a key. */
  def isKey(owner: Int): Boolean = (owner & 1) != 0

  def ofKey(key: Int): Int = -1 - 2 * key
  def key(owner: Int): Int = (-1 - owner) >> 1

  def ofStaged(index: Int): Int = -2 - 2 * index
  def staged(owner: Int): Int = (-2 - owner) >> 1
}
