package shedjoin.core.ledger

/** Makes an estimate of recall out of what was found and lost.
  *
  * Sampled results are taken for a sum of independent contributions (of the cells) whose variance grows with the sum: one
  * result more stands for as much of it as the results so far do, in the mean. Solving for the sums that the one at hand is
  * likely under (Wilson 1927) gives an interval that leans upwards, as it must where rare heavy contributions may be
  * missing. What no sampled cell stands for enters as one more contribution (a pseudo-key), as heavy as ghosts of the scores
  * seen are expected to be.
  */
private[ledger] object RecallInterval {
  import LossSums._

  /** The results whose earlier row is of one of `sides`. */
  def apply(losses: LossSums, sides: Seq[Int], hasResidual: Boolean): RecallEstimate = {
    val found = sides.map(losses(_, Found)).sum
    val parts = sides.map(of(losses, _))
    val lost = parts.map(_.lost).sum
    val below = math.sqrt(parts.map(p => p.below * p.below).sum)
    val above = math.sqrt(parts.map(p => p.above * p.above).sum)
    val recall = share(found, lost)
    val low = share(found, lost + above)
    val high = share(found, math.max(parts.map(_.least).sum, lost - below))
    val isUnreliable = parts.exists(_.isPoor) && high - low > Fine || found + lost == 0 && above > 0
    RecallEstimate(recall, low, high, lost, isUnreliable, hasResidual && lost > 0)
  }

  /** What was lost of one side, how far it may be less and more, and what it is at least. */
  final private case class Part(lost: Double, below: Double, above: Double, least: Double, isPoor: Boolean)

  private def of(losses: LossSums, side: Int): Part = {
    val passes = losses.passShare(side)
    val sampled = losses(side, Sampled)
    val certain = losses(side, Certain)
    val (low, high) = interval(losses, side)
    val seen = losses(side, Found) + losses(side, Rejected)
    val lost = (certain + sampled) * passes
    val edges = Quantile * Quantile * losses(side, Edges)
    val shares = if (seen == 0) 0 else math.pow(Quantile * (certain + sampled), 2) * passes * (1 - passes) / seen
    def reach(of: Double): Double = math.sqrt((of * of + edges) * passes * passes + shares)
    val variance = losses(side, Variance)
    val isPoor = variance > 0 && sampled * sampled / variance < Enough || variance == 0 && high > 0 ||
      losses(side, Rejected) > 0 && seen < Enough
    val least = if (edges > 0 || shares > 0) 0 else certain * passes
    Part(lost, reach(sampled - low), reach(high - sampled), least, isPoor)
  }

  /** Where the sum lies that the sampled results stand for. */
  private def interval(losses: LossSums, side: Int): (Double, Double) = {
    val sampled = losses(side, Sampled)
    val pseudo = pseudoKey(losses, side)
    if (sampled + pseudo == 0) (0, 0)
    else {
      val seen = ((losses(side, Variance) + pseudo * pseudo) / (sampled + pseudo) + heavy(losses, side)) / 2
      val each = math.max(seen, pseudo * burst(losses, side))
      val half = Quantile * Quantile * each / 2
      val reach = math.sqrt(Quantile * Quantile * each * sampled + half * half)
      (math.max(0, sampled + half - reach), sampled + half + reach)
    }
  }

  /** What one contribution is expected to weigh; 0 where no ghost came that is sampled, since the start or `startAnew`. */
  private def pseudoKey(losses: LossSums, side: Int): Double = {
    val expected = losses(side, Expected)
    if (expected == 0) 0 else losses(side, ExpectedWeight) / expected
  }

  /** How many rows of a key come together, seen from one of them, where ghosts are sampled: a lone ghost that a burst meets
    * loses so many results at once, whether or not one such was sampled. While a burst comes half of it is seen, in the mean.
    */
  private def burst(losses: LossSums, side: Int): Double =
    if (losses(side, Comers) == 0) 1 else math.max(1, 2 * losses(side, Gathered) / losses(side, Comers) - 1)

  /** How much a contribution counts for that is drawn by its share of the variance: as much as any where all are alike, and
    * more where some are heavy, of which others may be missing.
    */
  private def heavy(losses: LossSums, side: Int): Double = {
    val pseudo = pseudoKey(losses, side)
    (losses(side, Cubes) + math.pow(pseudo, 3)) / (losses(side, Variance) + pseudo * pseudo)
  }

  private def share(found: Double, lost: Double): Double = if (found + lost == 0) 1 else found / (found + lost)

  /** Of the normal distribution: 97.5 %. */
  private val Quantile = 1.959964

  /** With fewer effective contributions than this an interval wider than `Fine` is not to be trusted. */
  private val Enough = 12.0
  private val Fine = 0.01
}
