package shedjoin.core.collection

/** Is told which row is the first of a group. */
trait FirstRows {

  /** The group has another first row, or its first one. */
  def firstChanged(group: Int): Unit

  /** The group has no row any more. */
  def emptied(group: Int): Unit
}

object FirstRows {

  /** For who asks by himself. */
  object Untold extends FirstRows {
    def firstChanged(group: Int): Unit = ()
    def emptied(group: Int): Unit = ()
  }
}
