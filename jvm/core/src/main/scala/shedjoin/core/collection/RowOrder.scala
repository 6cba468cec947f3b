package shedjoin.core.collection

/** Where rows lie on a line, and which of two comes first where that does not tell. */
trait RowOrder extends RowTies {
  def coordinate(row: Int): Long
}

object RowOrder {
  val NoRow = -1
}
