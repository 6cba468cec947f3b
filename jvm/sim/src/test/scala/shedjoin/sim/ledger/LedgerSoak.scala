package shedjoin.sim.ledger

import org.scalatest.funsuite.AnyFunSuite

/** The whole campaign: 2,400 runs, 50 of each setting, of seeds that nothing was tuned on. Of a method that covers 95 % of
  * each setting's, 1.2 % of the settings would miss more than 12 % of 50 by chance; of one that covers 97 %, 0.1 %.
  */
class LedgerSoak extends AnyFunSuite with LedgerProof {
  private lazy val runs = LedgerCampaign.run(LedgerStreams.all, 301 to 350)

  test("intervals cover the truth in 93 % of all runs") {
    LedgerCampaign.table(runs).foreach(info(_))
    checkAll(runs)
  }

  test("intervals cover the truth in 88 % of each setting's runs")(checkEach(runs))

  test(
    "intervals that are called reliable are no wider than they must, and the others are few where much can be known"
  ) {
    LedgerCampaign.settings(runs).foreach { case (setting, of) => info(f"$setting may be ${mostWidth(of)}%.4f wide") }
    checkWidths(runs)
  }
}
