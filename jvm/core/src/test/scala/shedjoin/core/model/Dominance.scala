package shedjoin.core.model

/** When one row is better to keep than another whatever comes (paper 3, sections 5 and 7.3). */
object Dominance {

  implicit final class Compared(val row: ExpectedBenefit) {
    private val cumulated = row.atStep.scanLeft(0.0)(_ + _)

    /** The expected cumulative benefit (ECB) up to `steps` from now. O(1). */
    def upTo(steps: Int): Double = cumulated(math.min(steps, row.atStep.length))

    /** Whether keeping this row is never worse, however long it is kept. O(steps). */
    def dominates(other: Compared): Boolean = steps(other).forall(d => upTo(d) >= other.upTo(d))

    /** Whether keeping this row is better, however long it is kept. O(steps). */
    def stronglyDominates(other: Compared): Boolean = steps(other).forall(d => upTo(d) > other.upTo(d))

    /** Whether one of the two is never worse to keep. O(steps). */
    def isComparable(other: Compared): Boolean = dominates(other) || other.dominates(this)

    private def steps(other: Compared): Range =
      1 to math.max(1, math.max(row.atStep.length, other.row.atStep.length))
  }

  /** Of a row that is joined: by the chance that its value comes at each step (lemma 1). */
  def joining(steps: Int)(chance: Int => Double): ExpectedBenefit =
    ExpectedBenefit(Array.tabulate(steps)(i => chance(i + 1)))

  /** The caching ECB where references are uniform over `width` values of a window that moves on, and has left the row's
    * value `leaves` steps from now (section 7.3, category 2; its first case ends one step sooner than printed).
    */
  def cachedInWindow(width: Int, leaves: Int, steps: Int): Double =
    1 - math.pow(1 - 1.0 / width, math.max(0, math.min(steps, leaves - 1)).toDouble)

  /** Whether, on two equal trends with uniform noise over `widthX` and `widthY` values, a row x dominates a row y, where
    * both already meet partners and expect them for `stepsX` and `stepsY` steps more (section 7.3, categories R2 and S2).
    * Printed the other way round: at least as much in all is not enough, x must also gain at least as fast.
    */
  def dominatesOnTrend(widthX: Int, stepsX: Int, widthY: Int, stepsY: Int): Boolean =
    stepsY == 0 || widthX <= widthY && stepsX.toLong * widthY >= stepsY.toLong * widthX

  /** The largest set, of at most `most` rows, of which every row is dominated by every row outside: what an optimal
    * algorithm may shed (corollary 2). The places of its rows. O(rows^2 x steps).
    */
  def dominatedSubset(rows: IndexedSeq[ExpectedBenefit], most: Int): Set[Int] = {
    // A dominated set holds, with a row, all rows that do not dominate it.
    val closures = rows.indices.map(row => closure(rows, row)).sortBy(_.size)
    closures.filter(_.size <= most).foldLeft(Set.empty[Int]) { (shed, next) =>
      val both = shed ++ next
      if (both.size <= most) both else shed
    }
  }

  private def closure(rows: IndexedSeq[ExpectedBenefit], first: Int): Set[Int] = {
    var shed = Set(first)
    var added = shed
    while (added.nonEmpty) {
      val kept = rows.indices.filterNot(shed)
      added = kept.filter(row => added.exists(gone => !rows(row).dominates(rows(gone)))).toSet
      shed ++= added
    }
    shed
  }
}
