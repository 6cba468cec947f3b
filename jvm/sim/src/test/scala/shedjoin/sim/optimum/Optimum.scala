package shedjoin.sim.optimum

import shedjoin.sim._

/** The optimum as tests find it, without a library: by the paths of greatest gain. */
object Optimum {

  /** What the flow gains, and the settings of the run that does what it says. */
  def apply(trace: Trace, settings: SimSettings): (Long, SimSettings) = {
    val graph = new OptimumGraph(trace, settings)
    val untils = Array.fill(trace.rows)(-1L)
    val gains = graph.graphs.map { case (arcs, room) =>
      val flow = new GainFlow(arcs.nodes)
      val numbers = arcs.tails.indices.map { i =>
        flow.add(arcs.tails(i).toInt, arcs.heads(i).toInt, if (arcs.rows(i) == Arcs.NoRow) room else 1, arcs.gains(i))
      }
      val gain = flow.send(0, arcs.sink, room)
      numbers.indices.filter(i => arcs.rows(i) != Arcs.NoRow && flow.flow(numbers(i)) > 0).foreach { i =>
        val row = arcs.rows(i).toInt
        untils(row) = math.max(untils(row), arcs.untils(i))
      }
      gain
    }
    (gains.sum, graph.planned(untils))
  }

  /** The same streams' run of the optimum. */
  def outputs(trace: Trace, settings: SimSettings): Long = Simulation.run(trace, Optimum(trace, settings)._2).outputs
}
