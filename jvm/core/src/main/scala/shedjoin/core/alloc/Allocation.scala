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
  private val Rounding = 1e-9

  /** ALLOC: the least recall / weight of all joins is as great as it can be, by theorem 5.1 the greatest q for which
    * sum f_i(w_i q) fits. Each join gets at least one row, and what is left over goes where it is still of use.
    *
    * O(joins x points of a curve).
    */
  def maxMin(demands: Seq[JoinDemand], rows: Long): Seq[Long] = {
    checkEnough(demands, rows)
    withRest(demands, rows, needed(demands, rows, demands.map(1 / _.weight).max))
  }

  /** ALLOC for joins whose curves move: what becomes of the split `current` under the curves of now.
    *
    * As long as the least recall / weight could not rise by more than the part `worthwhile` of itself, no join gives a row
    * away, unless there is less memory now. Else it rises to the greatest there is, with as few rows given away as that
    * takes: a join that lacks rows gets what it needs, and the others give, in proportion to what they can do without. Rows
    * that no join has go where they are of use in any case. A join that is new has 0 rows.
    *
    * O(joins x points of a curve).
    */
  def resolved(demands: Seq[JoinDemand], rows: Long, current: Seq[Long], worthwhile: Double): Seq[Long] = {
    require(current.size == demands.size, s"${current.size} joins have rows, ${demands.size} want some")
    require(worthwhile >= 0, s"a gain of $worthwhile is worth while; it must be at least 0")
    checkEnough(demands, rows)
    val best = quality(demands, needed(demands, rows, demands.map(1 / _.weight).min))
    val fits = current.forall(_ >= 1) && current.sum <= rows
    val isGood = fits && best <= quality(demands, current) * (1 + worthwhile)
    // What whole rows reach, less what rounding would make joins jump over a level part of their curve for.
    val needs = demands.map(_.rowsFor(best * (1 - Rounding)))
    withRest(demands, rows, if (isGood) current else reached(needs, current, rows))
  }

  /** The fewest rows of each join for the greatest q, up to `most`, for which sum f_i(w_i q) fits. */
  private def needed(demands: Seq[JoinDemand], rows: Long, most: Double): Seq[Long] = {
    var fits = 0.0
    var exceeds = most
    if (total(demands, exceeds) <= rows) fits = exceeds
    else
      // Halves the range down to neighbouring numbers, but for a few bits.
      (1 to 60).foreach { _ =>
        val middle = (fits + exceeds) / 2
        if (total(demands, middle) <= rows) fits = middle else exceeds = middle
      }
    demands.map(_.rowsFor(fits))
  }

  /** What is needed, from what there is, with as few rows given away as can be. */
  private def reached(needed: Seq[Long], current: Seq[Long], rows: Long): Seq[Long] = {
    val raised = current.zip(needed).map { case (has, needs) => math.max(has, needs) }
    val spare = raised.zip(needed).map { case (has, needs) => (has - needs).toDouble }
    val gifts = share(spare, math.max(0, raised.sum - rows))
    raised.zip(gifts).map { case (has, gives) => has - gives }
  }

  /** A split, and what it leaves over. */
  private def withRest(demands: Seq[JoinDemand], rows: Long, split: Seq[Long]): Seq[Long] = {
    val lacking = demands.zip(split).map { case (demand, given) => math.max(0, demand.rowsForAll - given).toDouble }
    add(split, share(lacking, rows - split.sum))
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
    val whole = exact.map(x => math.floor(x + Rounding).toLong)
    val left = math.min(rows, math.round(exact.sum)) - whole.sum
    val next = exact.indices.sortBy(i => whole(i) - exact(i)).take(left.toInt).toSet
    whole.indices.map(i => if (next(i)) whole(i) + 1 else whole(i))
  }
}
