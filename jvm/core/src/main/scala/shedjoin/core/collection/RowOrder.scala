package shedjoin.core.collection

/** Where rows lie on a line, and which of two comes first where that does not tell. */
trait RowOrder {
  def coordinate(row: Int): Long

  /** Negative where `a` comes first, 0 only for rows that can not be told apart. */
  def compare(a: Int, b: Int): Int
}

object RowOrder {
  val NoRow = -1
}
