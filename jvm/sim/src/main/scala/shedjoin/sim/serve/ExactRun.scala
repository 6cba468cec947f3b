package shedjoin.sim.serve

import shedjoin.sim.{ExactJoin, SimSettings, Trace}

/** What an exact join finds, in all and over time. */
final private[serve] class ExactRun(trace: Trace, settings: SimSettings) {
  private val join = new ExactJoin(trace, settings)
  private val timeline = new Timeline(trace, 1)

  while (join.step()) {
    timeline.goTo(join.tick)
    timeline.note(0, join.outputs)
  }

  val outputs: Long = join.outputs
  val peakRows: Int = join.peakRows
  val outputsByPart: Array[Long] = timeline.column(0)
}
