package shedjoin.sim

import shedjoin.core.join.Side

/** Two streams.
  *
  * @param isStepwise whether the rows of one time come at once: all of them meet the stored rows and not each other, and
  *   the store is cut afterwards. Else they come one after the other, the left ones first.
  */
final case class Trace(left: TraceSide, right: TraceSide, isStepwise: Boolean) {
  def side(side: Int): TraceSide = if (side == Side.Left) left else right
}

object Trace {

  /** One row a side and step. */
  def ofSteps(left: Array[Long], right: Array[Long]): Trace =
    Trace(TraceSide.ofSteps(left), TraceSide.ofSteps(right), isStepwise = true)
}
