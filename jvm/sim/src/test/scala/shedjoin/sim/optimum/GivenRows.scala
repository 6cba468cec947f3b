package shedjoin.sim.optimum

import shedjoin.core.policy.RowFacts

/** Stored rows as told, by side and value, that can match for ever. */
final class GivenRows(rows: Seq[(Int, Long)]) extends RowFacts {
  def side(row: Int): Int = rows(row)._1
  def key(row: Int): Int = rows(row)._2.toInt
  def value(row: Int): Long = rows(row)._2
  def lastTick(row: Int): Long = RowFacts.Never
  def importance(row: Int): Double = 1
  def compareContent(a: Int, b: Int): Int = Integer.compare(a, b)
}
