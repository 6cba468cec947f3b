package shedjoin.sim.ledger

import org.scalatest.funsuite.AnyFunSuite

/** The whole campaign: 480 runs. */
class LedgerSoak extends AnyFunSuite with LedgerProof {

  test("intervals cover the truth in 93 % of all runs and 88 % of each setting's, and are no wider than they must") {
    val runs = LedgerCampaign.run(LedgerStreams.all, 1 to 10)
    LedgerCampaign.table(runs).foreach(info(_))
    assert(covered(runs) >= .93)
    runs.groupBy(r => (r.stream, r.policy)).foreach { case (setting, of) =>
      assert(covered(of) >= .88 || of.count(r => !r.isCovered && !r.estimate.isUnreliable) <= of.size * .12, setting)
    }
    checkWidths(runs)
  }
}
