package shedjoin.sim.optimum

import shedjoin.sim._

/** The optimum as tests find it, without a library: by the paths of greatest gain. */
object Optimum {

  /** What the flow gains, and the settings of the run that does what it says. */
  def apply(trace: Trace, settings: SimSettings): (Long, SimSettings) = {
    val graph = new OptimumGraph(trace, settings)
    val (gains, flows) = graph.graphs.map { case (arcs, room) =>
      val flow = new GainFlow(arcs.nodes)
      val numbers = arcs.tails.indices.map { i =>
        flow.add(arcs.tails(i).toInt, arcs.heads(i).toInt, math.min(room, arcs.rooms(i).toInt), arcs.gains(i))
      }
      (flow.send(0, arcs.sink, room), numbers.map(flow.flow(_).toLong).toArray)
    }.unzip
    (gains.sum, graph.planned(flows))
  }

  /** The same streams' run of the optimum. */
  def outputs(trace: Trace, settings: SimSettings): Long = Simulated(trace, Optimum(trace, settings)._2).outputs
}
