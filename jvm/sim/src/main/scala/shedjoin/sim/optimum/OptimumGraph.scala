package shedjoin.sim.optimum

import shedjoin.core.join.Side
import shedjoin.core.policy.RowFacts
import shedjoin.sim._

/** The most results that any policy can find, as a flow of greatest gain (OPT-offline; paper 3, sections 4 and 7.1).
  *
  * A unit of flow is room for a row. Node `s`, of as many as there are steps, is the memory after the cut of step `s`; an
  * arc leads from each to the next one, for room that is not used. The rows of a [[Chain]] are a way beside it: room leaves
  * the memory when a row comes, goes through an arc for each step at which partners come, which are its gain, no more of it
  * than rows live then; and behind each such arc it may go back to the memory: a row goes. So there are at most four arcs
  * for each row, but where rows do not expire in the order in which they come. Sides whose memory is apart are graphs of
  * their own.
  */
final class OptimumGraph(trace: Trace, settings: SimSettings) {
  private val meetings = new Meetings(trace, settings)

  def steps: Int = meetings.steps

  /** The arcs of a graph, and the room in it. */
  val graphs: Seq[(Arcs, Int)] = settings.memory match {
    case Memory.Shared(rows) => Seq((arcs(Side.Left, Side.Right), rows))
    case Memory.Apart(left, right) => Seq((arcs(Side.Left), left), (arcs(Side.Right), right))
  }

  private def arcs(sides: Int*): Arcs = {
    val arcs = new Arcs.Builder(steps)
    (0 until steps - 1).foreach(step => arcs.add(step, step + 1))
    for (side <- sides; chain <- meetings.chains(side)) addWay(chain, arcs)
    arcs.result()
  }

  private def addWay(chain: Chain, arcs: Arcs.Builder): Unit = {
    val size = chain.rows.length
    val before = arcs.addRows(chain.rows)
    var place = chain.firsts(0)
    var came, gone = 0
    var node = Arcs.NoNode
    while (place <= chain.lasts(size - 1)) {
      val since = came
      while (came < size && chain.firsts(came) <= place) came += 1
      while (gone < came && chain.lasts(gone) < place) gone += 1
      if (gone < came) {
        val from = enter(chain, since, came, node, arcs)
        val step = chain.at(place)
        val isLast = chain.lasts(came - 1) == place
        node = if (isLast) Arcs.NoNode else arcs.newNode()
        arcs.addMeeting(from, if (isLast) step else node, chain.counts(place), came - gone, before + came, step)
        if (!isLast) arcs.add(node, step)
      }
      place += 1
    }
  }

  /** Leads what a chain has and its rows from `since` to `came` into one node; a node is one's own where one can not do
    * without, so that no way leads back in time.
    */
  private def enter(chain: Chain, since: Int, came: Int, node: Int, arcs: Arcs.Builder): Int =
    if (since == came) node
    else if (node == Arcs.NoNode && chain.arrivals(since) == chain.arrivals(came - 1)) chain.arrivals(since)
    else {
      val joined = arcs.newNode()
      if (node != Arcs.NoNode) arcs.add(node, joined)
      var i = since
      while (i < came) {
        var next = i
        while (next < came && chain.arrivals(next) == chain.arrivals(i)) next += 1
        arcs.add(chain.arrivals(i), joined, next - i)
        i = next
      }
      joined
    }

  /** The settings of a run that stores what the flows through the arcs of each graph say. */
  def planned(flows: Seq[Array[Long]]): SimSettings = {
    val untils = Array.fill(trace.rows)(-1L)
    graphs.zip(flows).foreach { case ((arcs, _), through) => arcs.plan(through, untils) }
    settings.copy(reference = Some(new ReferencePolicy {
      def over(rows: RowFacts, placeOf: Int => Int) = new ForesightPolicy((row, _) =>
        untils(if (rows.side(row) == Side.Left) placeOf(row) else trace.left.size + placeOf(row))
      )
    }))
  }
}
