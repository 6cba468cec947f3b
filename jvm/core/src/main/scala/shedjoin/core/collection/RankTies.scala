package shedjoin.core.collection

/** Which of two rows of equal rank comes first: by a second number, and then by content. */
trait RankTies extends RowTies {

  /** The lesser one comes first; it does not change while the row is stored. */
  def second(row: Int): Long
}
