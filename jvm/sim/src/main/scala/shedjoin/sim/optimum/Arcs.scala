package shedjoin.sim.optimum

import scala.collection.mutable.ArrayBuilder

/** The arcs of a flow graph, whose source is node 0.
  *
  * @param sink the node to which all room flows
  * @param rooms how much may flow through an arc
  * @param order the rows, chain by chain, in the order in which they come
  * @param ends behind which of these the rows lie that an arc is about: the last ones before, as many as flow
  * @param untils the step at which they meet partners, or `NoStep` for an arc that is about no rows
  */
final class Arcs private (
    val nodes: Int,
    val sink: Int,
    val tails: Array[Long],
    val heads: Array[Long],
    val gains: Array[Long],
    val rooms: Array[Long],
    order: Array[Int],
    ends: Array[Int],
    untils: Array[Int]
) {

  /** Notes until which step each row is stored. O(arcs + what it gains). */
  private[optimum] def plan(through: Array[Long], stored: Array[Long]): Unit = ends.indices.foreach { arc =>
    if (untils(arc) != Arcs.NoStep) {
      var i = ends(arc) - through(arc).toInt
      while (i < ends(arc)) {
        stored(order(i)) = math.max(stored(order(i)), untils(arc).toLong)
        i += 1
      }
    }
  }
}

private[optimum] object Arcs {
  val NoNode = -1
  val NoStep = -1

  /** Room for whatever flows. */
  val AnyRoom = Int.MaxValue
  private val Most = 1 << 25

  final class Builder(steps: Int) {
    private val tails, heads, gains, rooms = new ArrayBuilder.ofLong
    private val order, ends, untils = new ArrayBuilder.ofInt
    private var nodes = math.max(1, steps)

    def newNode(): Int = {
      nodes += 1
      nodes - 1
    }

    /** Appends the rows of a chain; how many there were before. */
    def addRows(rows: Array[Int]): Int = {
      val before = order.length
      order.addAll(rows)
      before
    }

    def add(tail: Int, head: Int, room: Int = AnyRoom): Unit = add(tail, head, 0, room, 0, NoStep)

    /** An arc through which up to `room` of the rows that end before `end` meet `partners` at a step; throws where there are
      * too many arcs.
      */
    def addMeeting(tail: Int, head: Int, partners: Int, room: Int, end: Int, step: Int): Unit =
      add(tail, head, partners, room, end, step)

    private def add(tail: Int, head: Int, gain: Int, room: Int, end: Int, until: Int): Unit = {
      if (tails.length == Most) refuse()
      tails += tail.toLong
      heads += head.toLong
      gains += gain.toLong
      rooms += room.toLong
      ends += end
      untils += until
    }

    private def refuse(): Nothing = throw new IllegalArgumentException(
      s"[SHEDJOIN_SIM_TOO_LARGE] The optimum of this trace is a flow over more than $Most arcs; that is the most. " +
        "Take a part of the trace, or a smaller window."
    )

    def result(): Arcs = new Arcs(
      nodes,
      math.max(0, steps - 1),
      tails.result(),
      heads.result(),
      gains.result(),
      rooms.result(),
      order.result(),
      ends.result(),
      untils.result()
    )
  }
}
