package shedjoin.sim.serve

import java.util.{Map => JMap}

import scala.jdk.CollectionConverters._

import shedjoin.sim._
import shedjoin.sim.optimum.{FlowExpect, Forecast, OptimumGraph}

/** What Python calls for the optimum. */
object OptimumEntry {

  /** The graph whose flows of greatest gain are the best choice of rows; throws where it would be too large. */
  def graph(trace: Trace, settings: SimSettings): OptimumGraph = new OptimumGraph(trace, settings)

  /** How many graphs there are: one, or one a side. */
  def graphs(graph: OptimumGraph): Int = graph.graphs.size

  /** The room in a graph, by its number. */
  def room(graph: OptimumGraph, number: Int): Int = graph.graphs(number)._2
  def nodes(graph: OptimumGraph, number: Int): Int = graph.graphs(number)._1.nodes
  def sink(graph: OptimumGraph, number: Int): Int = graph.graphs(number)._1.sink

  /** Writes the arcs of a graph. */
  def writeArcs(graph: OptimumGraph, number: Int, path: String): Unit = {
    val arcs = graph.graphs(number)._1
    ArrowFiles.write(
      path,
      Column.Longs("tail", arcs.tails),
      Column.Longs("head", arcs.heads),
      Column.Longs("gain", arcs.gains),
      Column.Longs("room", arcs.rooms)
    )
  }

  /** The settings of a run that does what flows say: by the column `flow` of a file, one graph's after the other's. */
  def planned(graph: OptimumGraph, path: String): SimSettings = {
    val flows = ArrowFiles.readLongs(path, "flow")
    val ends = graph.graphs.scanLeft(0)(_ + _._1.tails.length)
    graph.planned(ends.zip(ends.tail).map { case (from, until) => flows.slice(from, until) })
  }

  /** The settings of a run of FLOWEXPECT, by the settings that the policy `heeb` would have. */
  def flowExpect(settings: SimSettings, model: JMap[String, String], lookahead: Int): SimSettings = {
    val known = model.asScala.toMap
    // Makes HEEB, to be told of what is wrong with its settings.
    new Simulation(
      Trace.ofSteps(Array.empty, Array.empty),
      settings.copy("heeb", known, reference = None),
      RunSink.Nowhere
    )
    Forecast.ofHeeb(known, lookahead)
    settings.copy(reference = Some(new FlowExpect(() => Forecast.ofHeeb(known, lookahead), lookahead, settings)))
  }
}
