package shedjoin.core.collection

/** Is told which row is the first of a group. */
trait FirstRowListener {

  /** A row came that is the group's first one. */
  def firstCame(group: Int): Unit

  /** The group's first row went; the first one now comes after it. */
  def firstWent(group: Int): Unit

  /** The group has no row any more. */
  def emptied(group: Int): Unit
}

object FirstRowListener {

  /** For who asks by himself. */
  object Untold extends FirstRowListener {
    def firstCame(group: Int): Unit = ()
    def firstWent(group: Int): Unit = ()
    def emptied(group: Int): Unit = ()
  }
}
