package shedjoin.sim.serve

import java.util.concurrent.atomic.LongAdder

import shedjoin.core.join.Side
import shedjoin.sim._

/** One run of a trace, and what is noted of it.
  *
  * @param notesRows whether it is noted how long each row was stored
  */
final class SimRun(val trace: Trace, val settings: SimSettings, notesRows: Boolean) {
  import SimRun._

  private[serve] val timeline = new Timeline(trace, 4)
  private[serve] val fates = if (notesRows) new RowFates(trace) else null
  private[serve] var result: SimResult = _
  private[serve] var exact: ExactRun = _

  /** Runs to the end, or until it is cancelled. */
  private[serve] def run(rowsDone: LongAdder, isCancelled: () => Boolean): Unit = {
    val simulation = new Simulation(trace, settings, if (notesRows) fates else RunSink.Nowhere)
    var told = 0
    while (!isCancelled() && simulation.step()) {
      timeline.goTo(simulation.tick)
      timeline.note(Outputs, simulation.outputs)
      timeline.note(Shed, simulation.shed)
      timeline.note(Left, simulation.storedRows(Side.Left).toLong)
      timeline.note(Right, simulation.storedRows(Side.Right).toLong)
      if (simulation.rowsSoFar - told >= RowsATell) {
        rowsDone.add(simulation.rowsSoFar.toLong - told)
        told = simulation.rowsSoFar
      }
    }
    rowsDone.add(simulation.rowsSoFar.toLong - told)
    if (!isCancelled()) result = simulation.run()
  }
}

private[serve] object SimRun {
  private val RowsATell = 1024

  /** The columns of the timeline. */
  val Outputs = 0
  val Shed = 1
  val Left = 2
  val Right = 3
}
