package shedjoin.sim

/** What a run comes to. */
object Simulated {
  def apply(trace: Trace, settings: SimSettings): SimResult = new Simulation(trace, settings, RunSink.Nowhere).run()
}
