package shedjoin.core.alloc

import shedjoin.core.model.AgeCurve

/** The recall of a join by the rows it may store: straight lines between the points told, from 0 rows to as many as make it
  * exact.
  *
  * Checked when made, since the optimum of [[Allocation]] rests on it: rows rise strictly, recall never falls (more memory
  * is never worse), lies in [0, 1], and comes to 1. Lines join, so every recall in between can be had.
  */
final case class RecallCurve(rows: Array[Double], recalls: Array[Double]) {
  require(
    rows.length == recalls.length && rows.length >= 2,
    s"${rows.length} numbers of rows, ${recalls.length} recalls"
  )
  require(rows.head == 0 && isSorted(rows, strictly = true), s"rows must rise from 0: ${rows.mkString(", ")}")
  require(isSorted(recalls, strictly = false), s"recall must never fall: ${recalls.mkString(", ")}")
  require(recalls.head >= 0 && recalls.last == 1, s"recall must come to 1: ${recalls.mkString(", ")}")

  private def isSorted(values: Array[Double], strictly: Boolean): Boolean =
    values.indices.drop(1).forall(i => values(i - 1) < values(i) || !strictly && values(i - 1) == values(i))

  /** The recall with room for `stored` rows. O(log points). */
  def recall(stored: Double): Double =
    if (stored >= rows.last) 1 else between(rows, recalls, math.max(stored, 0))

  /** The fewest rows with which the recall is at least `recall` (the paper's f). O(points). */
  def rowsFor(recall: Double): Double = {
    val at = recalls.indexWhere(_ >= math.min(recall, 1.0))
    if (at == 0) 0
    else {
      val part = (math.min(recall, 1.0) - recalls(at - 1)) / (recalls(at) - recalls(at - 1))
      rows(at - 1) + part * (rows(at) - rows(at - 1))
    }
  }

  /** How many rows the join stores if none is shed: more than it takes for all results, where some meet no partner. */
  def window: Double = rows.last

  private def between(xs: Array[Double], ys: Array[Double], x: Double): Double = {
    val found = java.util.Arrays.binarySearch(xs, x)
    if (found >= 0) ys(found)
    else {
      val above = -found - 1
      val part = (x - xs(above - 1)) / (xs(above) - xs(above - 1))
      ys(above - 1) + part * (ys(above) - ys(above - 1))
    }
  }
}

object RecallCurve {

  /** Of AGE (paper 1, equation 3), for a curve that does not rise again after it fell: linear up to the best age, and along
    * the curve from there.
    */
  def ofAge(curve: AgeCurve, rowsPerTick: Double): RecallCurve = {
    require(curve.hasNoMinimum, "equation 3 holds for age curves without minima only")
    val ages = 0.0 +: curve.ends.filter(_ >= curve.bestAge)
    val points = ages.map(age => (age * rowsPerTick, curve.recall(age * rowsPerTick, rowsPerTick)))
    of(points)
  }

  /** Of PROB (paper 1, section 3.3), with the part of the next value that there is room for.
    *
    * @param stored how many rows of each value the window holds
    * @param partners how often each value comes on the other side
    */
  def ofFrequencies(stored: Seq[Double], partners: Seq[Double]): RecallCurve = {
    val values = stored.indices.filter(stored(_) > 0).sortBy(v => -partners(v))
    val found = values.map(v => stored(v) * partners(v))
    of(values.map(stored).scanLeft(0.0)(_ + _).zip(found.scanLeft(0.0)(_ + _).map(_ / found.sum)))
  }

  private def of(points: Seq[(Double, Double)]): RecallCurve =
    RecallCurve(points.map(_._1).toArray, points.map(p => if (p._2 > 1 - Rounding) 1.0 else p._2).toArray)

  private val Rounding = 1e-12
}
