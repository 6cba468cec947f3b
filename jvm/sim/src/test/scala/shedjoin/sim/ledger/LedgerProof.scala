package shedjoin.sim.ledger

import org.scalatest.Assertions

/** What the intervals of a campaign must keep to. */
trait LedgerProof extends Assertions {
  import LedgerCampaign.settings

  /** Of the width that a ledger in the same space would have which draws all cells alike and knows how far it is off: ours has
    * a quarter less room for cells, as its sketch takes it, and does not know.
    */
  private val mostOfAlike = 2.0

  /** What is added: intervals so narrow are never called unreliable. */
  private val fine = .01

  /** Where even the interval of a ledger that draws alike is wider than that, all may be unreliable. */
  private val unknowable = .1

  /** So few lost results tell nothing. */
  private val fewLost = 12

  def checkAll(runs: Seq[LedgerRun]): Unit = assert(covered(runs) >= .93)

  /** Unreliable or not. */
  def checkEach(runs: Seq[LedgerRun]): Unit = settings(runs).foreach { case (setting, of) =>
    assert(covered(of) >= .88, setting)
  }

  private def covered(runs: Seq[LedgerRun]): Double = runs.count(_.isCovered).toDouble / runs.size

  /** How wide the intervals of a setting may be in the mean. */
  def mostWidth(runs: Seq[LedgerRun]): Double = mostOfAlike * mean(runs.map(_.alike)) + fine

  /** Intervals that are called reliable are narrow, and a third of a setting's at most are not called so (of bursty streams some
    * are, which lose most to a few bursts), unless next to nothing is lost, or nobody could know.
    */
  def checkWidths(runs: Seq[LedgerRun]): Unit = settings(runs).foreach { case (setting, of) =>
    val (unreliable, reliable) = of.partition(_.estimate.isUnreliable)
    if (reliable.nonEmpty) assert(mean(reliable.map(_.width)) <= mostWidth(of), setting)
    val isKnowable = mean(of.map(_.alike)) <= unknowable && of.forall(_.lost >= fewLost)
    if (isKnowable) assert(3 * unreliable.size <= of.size, setting)
  }

  private def mean(of: Seq[Double]): Double = of.sum / of.size
}
