package shedjoin.sim

import shedjoin.core.NoRow
import shedjoin.core.join.Side
import shedjoin.core.ledger.RecallEstimate

/** Runs the policies of `core` on a trace, as the engine would, but for rows that are numbers.
  *
  * O(rows log rows + results).
  */
final class Simulation(trace: Trace, settings: SimSettings, sink: RunSink) {
  private val store = new SimStore(trace, settings.within)
  private val tally = new Tally
  private val keeper = new RunKeeper(trace, settings, store, tally, sink)
  private val driver =
    if (trace.isStepwise || settings.order == StepOrder.EvictFirst) new StepByStep(trace, settings, store, keeper)
    else new RowByRow(trace, settings.within, store, keeper)

  /** Runs the trace from where it stands to the end. */
  def run(): SimResult = {
    while (step()) ()
    finish()
    tally.total.copy(estimate = estimate)
  }

  /** What the ledger makes of the run so far, if there is one. */
  def estimate: Option[RecallEstimate] = Option(keeper.ledger).map(_.estimate)

  /** The rows stored now. */
  def storedRows: Int = store.count
  def storedRows(side: Int): Int = store.count(side)

  /** The time of the last step. */
  def tick: Long = driver.tick
  def rowsSoFar: Int = driver.rowsSoFar

  /** What was found, and shed, so far. */
  def outputs: Long = tally.outputs
  def shed: Long = tally.shed

  /** Takes the rows that come next; false when there are none. */
  def step(): Boolean = {
    val more = driver.step()
    if (more && keeper.isCounting) tally.stored(store.count(Side.Left), store.count)
    more
  }

  private def finish(): Unit = Seq(Side.Left, Side.Right).foreach { side =>
    (0 until trace.side(side).size).foreach { place =>
      val row = store.at(side, place)
      if (row != NoRow) {
        keeper.stays(row)
        store.remove(row)
      }
    }
  }
}

/** Takes the rows of a trace, step by step. */
private[sim] trait Driver {

  /** Takes the rows that come next; false when there are none. */
  def step(): Boolean

  /** The time of the last step, and how many rows came up to it. */
  def tick: Long
  def rowsSoFar: Int
}
