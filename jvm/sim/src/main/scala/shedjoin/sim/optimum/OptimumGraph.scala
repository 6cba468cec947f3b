package shedjoin.sim.optimum

import scala.collection.mutable.ArrayBuilder

import shedjoin.core.join.Side
import shedjoin.core.policy.RowFacts
import shedjoin.sim._

/** The most results that any policy can find, as a flow of greatest gain (OPT-offline; paper 3, sections 4 and 7.1).
  *
  * A unit of flow is room for a row. Node `s`, of as many as there are steps, is the memory after the cut of step `s`; an
  * arc leads from each to the next one, for room that is not used. A row is a path that leaves the memory when it comes and
  * has an arc to each step at which it meets partners, which are its gain; from there it may go back to the memory: the row
  * goes. Sides whose memory is apart are graphs of their own.
  */
final class OptimumGraph(trace: Trace, settings: SimSettings) {
  private val partners = Partners.of(trace, settings)

  def steps: Int = partners.steps

  /** The arcs of a graph, and the room in it. */
  val graphs: Seq[(Arcs, Int)] = settings.memory match {
    case Memory.Shared(rows) => Seq((arcs(0 until trace.rows), rows))
    case Memory.Apart(left, right) =>
      Seq((arcs(0 until trace.left.size), left), (arcs(trace.left.size until trace.rows), right))
  }

  private def arcs(rows: Range): Arcs = {
    val arcs = new OptimumGraph.Builder(steps)
    (0 until steps - 1).foreach(step => arcs.add(step, step + 1, 0, Arcs.NoRow, 0))
    rows.foreach(row => addPath(row, arcs))
    arcs.result()
  }

  private def addPath(row: Int, arcs: OptimumGraph.Builder): Unit = {
    var from = partners.arrivals(row)
    var i = partners.starts(row)
    while (i < partners.starts(row + 1) && partners.counts(i) > 0) {
      val step = partners.at(i)
      val isLast = i + 1 == partners.starts(row + 1) || partners.counts(i + 1) == 0
      val node = if (isLast) step else arcs.newNode()
      arcs.add(from, node, partners.counts(i).toLong, row, step)
      if (!isLast) arcs.add(node, step, 0, Arcs.NoRow, 0)
      from = node
      i += 1
    }
  }

  /** The settings of a run that stores each row up to the step told: by row, the left ones first; -1 where it is of no use. */
  def planned(untils: Array[Long]): SimSettings = settings.copy(reference = Some(new ReferencePolicy {
    def over(rows: RowFacts, placeOf: Int => Int) = new ForesightPolicy((row, _) =>
      untils(if (rows.side(row) == Side.Left) placeOf(row) else trace.left.size + placeOf(row))
    )
  }))
}

/** The arcs of a flow graph, whose source is node 0.
  *
  * @param sink the node to which all room flows
  * @param rows the row whose partners are the gain, or `NoRow`: such an arc takes one unit, the others take all
  * @param untils the step at which it meets them
  */
final case class Arcs(
    nodes: Int,
    sink: Int,
    tails: Array[Long],
    heads: Array[Long],
    gains: Array[Long],
    rows: Array[Long],
    untils: Array[Long]
)

object Arcs {
  val NoRow = -1
}

private object OptimumGraph {
  final private class Builder(steps: Int) {
    private val tails, heads, gains, rows, untils = new ArrayBuilder.ofLong
    private var nodes = math.max(1, steps)

    def newNode(): Int = {
      nodes += 1
      nodes - 1
    }

    def add(tail: Int, head: Int, gain: Long, row: Int, until: Int): Unit = {
      tails += tail.toLong
      heads += head.toLong
      gains += gain
      rows += row.toLong
      untils += until.toLong
    }

    def result(): Arcs =
      Arcs(
        nodes,
        math.max(0, steps - 1),
        tails.result(),
        heads.result(),
        gains.result(),
        rows.result(),
        untils.result()
      )
  }
}
