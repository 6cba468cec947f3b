package shedjoin.state

/** Who takes the rows of a state file. */
trait RowVisitor {

  /** A row whose bytes can be taken during the call. */
  def row(id: Int, side: Int, matched: Boolean, time: Long, bytes: RowBytes): Unit
}

/** Who takes the content of a state file. */
trait StateVisitor extends RowVisitor {

  /** `rowsStored` is `Untold` in the oldest format. */
  def tick(latestTime: Long, rowsTaken: Long, rowsStored: Long): Unit
  def removed(id: Int): Unit
  def matched(id: Int): Unit

  /** Told before the rows, by a file that leaves out keys. */
  def keys(inRows: KeysInRows): Unit
}

object StateVisitor {

  /** Has a file checked, and takes nothing. */
  object Nobody extends StateVisitor {
    def tick(latestTime: Long, rowsTaken: Long, rowsStored: Long): Unit = ()
    def removed(id: Int): Unit = ()
    def matched(id: Int): Unit = ()
    def keys(inRows: KeysInRows): Unit = ()
    def row(id: Int, side: Int, matched: Boolean, time: Long, bytes: RowBytes): Unit = ()
  }
}
