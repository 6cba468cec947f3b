package shedjoin.sim.ledger

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.sim.{Memory, SimSettings, Simulated}

/** A part of `LedgerSoak`. */
class LedgerSuite extends AnyFunSuite with LedgerProof {

  test("the ledger's intervals cover the truth, and are no wider than they must") {
    val quick = Set("stationary", "age BELL", "drifting", "DC Z=0.5")
    val runs = LedgerCampaign.run(LedgerStreams.all.filter(s => quick(s.name)), 1 to 3)
    LedgerCampaign.table(runs).foreach(info(_))
    checkAll(runs)
    checkWidths(runs)
  }

  test("a run with memory for all is told to be exact, and a ledger changes no run") {
    val stream = LedgerStreams.all.head
    val trace = stream.trace(1)
    def run(rows: Int, ledger: Option[Long]) = Simulated(
      trace,
      SimSettings("random", memory = Memory.Shared(rows), within = stream.within, ledgerBytes = ledger)
    )
    val exact = run(1 << 20, Some(20000)).estimate.get
    assert((exact.recall, exact.low, exact.high, exact.isUnreliable) == ((1, 1, 1, false)))
    assert(run(5000, Some(20000)).copy(estimate = None) == run(5000, None))
  }
}
