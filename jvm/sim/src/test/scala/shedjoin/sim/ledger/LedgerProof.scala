package shedjoin.sim.ledger

import org.scalatest.Assertions

/** What the intervals of a campaign must keep to. */
trait LedgerProof extends Assertions {

  /** How wide an interval of each kind of stream may be in the mean: those with few or rare heavy losses are wide. */
  private val mostWidth = Map(
    "stationary" -> .08,
    "age INC" -> .1,
    "age DEC" -> .1,
    "age BELL" -> .1,
    "drifting" -> .08,
    "bursty" -> .08,
    "IC Z=0.5" -> .1,
    "IC Z=1.0" -> .4,
    "IC Z=2.0" -> 1.0,
    "DC Z=0.5" -> .1,
    "DC Z=1.0" -> .1,
    "DC Z=2.0" -> .1
  )

  def covered(runs: Seq[LedgerRun]): Double = runs.count(_.isCovered).toDouble / runs.size

  def checkWidths(runs: Seq[LedgerRun]): Unit = runs.groupBy(r => (r.stream, r.policy)).foreach { case (setting, of) =>
    val width = of.map(_.width).sum / of.size
    assert(width <= mostWidth(setting._1), s"$setting: $width")
  }
}
