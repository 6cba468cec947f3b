package shedjoin.core.model

import java.io.{DataInput, DataOutput}

/** What is known of an age curve: how many partners a row expects in each of equal parts of its window.
  *
  * A part is some cells, which are of whole ticks: in cells the priorities along the curve are drawn.
  */
trait AgeModel extends AgeMatches {

  /** How many ticks a cell takes; 0 while the window is not known. */
  def cellTicks: Long
  def cellsAPart: Int

  /** How many partners a row meets while its age is in the n-th part of the window. O(1), or O(bins) of a ledger. */
  def expected(part: Int): Double

  /** Whether it learns from what the policy tells it of its rows, so that some of all ages must be stored. */
  def needsRows: Boolean

  /** The window is so long at least; where that is news, all is learned anew. */
  def windowIs(ticks: Long): Unit
  def save(out: DataOutput): Unit
  def restore(in: DataInput): Unit

  final def partTicks: Long = cellTicks * cellsAPart
}

object AgeModel {

  /** Into how many parts the window is cut. */
  val Parts: Int = 20

  /** A part has so many cells at most. */
  val MostCells: Int = 32

  /** How many ticks the cells of a window take. */
  private[model] def cellTicks(window: Long): Long = 1 + (window - 1) / (MostCells * Parts)

  /** How many of such cells make up a part, so that all parts hold the window. */
  private[model] def cellsAPart(window: Long, cellTicks: Long): Int = (1 + (window - 1) / (cellTicks * Parts)).toInt
}
