package shedjoin.core.collection

/** Where rows lie on a line, and which of two comes first where that does not tell. */
trait RowOrder extends RowTies {
  def coordinate(row: Int): Long

  /** Of two rows the one with the lesser number comes first; only rows of the same number are compared. */
  def second(row: Int): Long = 0
}

object RowOrder {
  val NoRow = -1
}
