package shedjoin.core.collection

/** Where rows lie on a line, and which of two comes first where that does not tell: by weight, by a second number, then by
  * content.
  */
trait RowOrder extends RowTies {
  def coordinate(row: Int): Long

  /** At least 0; the row of lesser weight comes first. */
  def weight(row: Int): Double = 1

  /** Of two rows of one weight the one with the lesser number comes first. */
  def second(row: Int): Long = 0
}

object RowOrder {
  val NoRow = -1
}
