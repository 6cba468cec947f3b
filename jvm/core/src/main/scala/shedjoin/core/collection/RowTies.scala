package shedjoin.core.collection

/** Which of two rows comes first where nothing else tells. */
trait RowTies {

  /** Negative where `a` comes first, 0 only for rows that can not be told apart. */
  def compare(a: Int, b: Int): Int
}
