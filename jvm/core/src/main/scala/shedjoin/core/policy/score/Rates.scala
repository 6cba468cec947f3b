package shedjoin.core.policy.score

import shedjoin.core.join.Side

/** How many partners a row expects a tick, by its value: given for each side and for the values from `firstValue` on. */
final class Rates(firstValue: Long, ofLeftRows: Array[Double], ofRightRows: Array[Double]) {

  /** What a row of `side` expects; 0 for a value of which nothing was said. O(1). */
  def apply(side: Int, value: Long): Double = {
    val rates = if (side == Side.Left) ofLeftRows else ofRightRows
    if (value < firstValue || value - firstValue >= rates.length) 0 else rates((value - firstValue).toInt)
  }

  def bytes: Long =
    shedjoin.core.Budget.arrayBytes(ofLeftRows.length, 8) + shedjoin.core.Budget.arrayBytes(ofRightRows.length, 8)
}
