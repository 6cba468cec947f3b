package shedjoin.core.join

/** The part of a join's condition that needs both rows. */
trait PairCondition {

  /** Whether the rows at these addresses match. */
  def holds(left: Int, right: Int): Boolean
}

object PairCondition {
  object Always extends PairCondition {
    def holds(left: Int, right: Int): Boolean = true
  }
}
