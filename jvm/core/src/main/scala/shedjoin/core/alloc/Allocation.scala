package shedjoin.core.alloc

/** A join that wants memory; one of twice the weight is to have twice the recall. */
final case class JoinDemand(curve: RecallCurve, weight: Double = 1) {
  require(weight > 0, s"a weight is $weight and must be greater than 0")

  /** The fewest rows, and at least one, with which the recall is `quality` times the weight, or all there is. */
  private[alloc] def rowsFor(quality: Double): Long =
    math.max(1, math.ceil(curve.rowsFor(math.min(1, quality * weight)) - JoinDemand.Rounding).toLong)

  private[alloc] def rowsForAll: Long = rowsFor(1 / weight)

  private[alloc] def window: Long = math.max(1, math.ceil(curve.window).toLong)
}

private object JoinDemand {
  private val Rounding = 1e-7
}

/** The split of memory over joins (paper 1, section 5). */
object Allocation {

  /** ALLOC: the least recall / weight of all joins is as great as it can be, by theorem 5.1 the greatest q for which
    * sum f_i(w_i q) fits. Each join gets at least one row, and what is left over goes where it is still of use.
    *
    * O(joins x points of a curve).
    */
  def maxMin(demands: Seq[JoinDemand], rows: Long): Seq[Long] = {
    checkEnough(demands, rows)
    var fits = 0.0
    var exceeds = demands.map(1 / _.weight).max
    if (total(demands, exceeds) <= rows) fits = exceeds
    else
      // Halves the range down to neighbouring numbers, but for a few bits.
      (1 to 60).foreach { _ =>
        val middle = (fits + exceeds) / 2
        if (total(demands, middle) <= rows) fits = middle else exceeds = middle
      }
    val needed = demands.map(_.rowsFor(fits))
    val lacking = demands.zip(needed).map { case (demand, given) => (demand.rowsForAll - given).toDouble }
    add(needed, share(lacking, rows - needed.sum))
  }

  /** PROP: each join gets in proportion to what it stores if nothing is shed, and at least one row. */
  def proportional(demands: Seq[JoinDemand], rows: Long): Seq[Long] = {
    checkEnough(demands, rows)
    val ones = demands.map(_ => 1L)
    add(ones, share(demands.map(_.window - 1.0), rows - demands.size))
  }

  /** The least recall / weight under a split. */
  def quality(demands: Seq[JoinDemand], split: Seq[Long]): Double =
    demands.zip(split).map { case (demand, given) => demand.curve.recall(given.toDouble) / demand.weight }.min

  private def checkEnough(demands: Seq[JoinDemand], rows: Long): Unit =
    require(demands.nonEmpty && rows >= demands.size, s"$rows rows for ${demands.size} joins; each takes at least one")

  private def total(demands: Seq[JoinDemand], quality: Double): Long = demands.map(_.rowsFor(quality)).sum

  private def add(a: Seq[Long], b: Seq[Long]): Seq[Long] = a.zip(b).map { case (x, y) => x + y }

  /** Splits `rows` in proportion to what is wanted, and gives no more than that; whole rows by the largest remainders. */
  private def share(wanted: Seq[Double], rows: Long): Seq[Long] = {
    val all = wanted.sum
    val portion = if (all <= rows) 1.0 else rows / all
    val exact = wanted.map(_ * portion)
    val whole = exact.map(x => math.floor(x + 1e-9).toLong)
    val left = math.min(rows, math.round(exact.sum)) - whole.sum
    val next = exact.indices.sortBy(i => whole(i) - exact(i)).take(left.toInt).toSet
    whole.indices.map(i => if (next(i)) whole(i) + 1 else whole(i))
  }
}
