package shedjoin.sim.optimum

import java.util.Arrays

/** A flow of greatest gain through a small network without cycles, unit by unit along the paths of greatest gain.
  *
  * Arc `2 i` and its way back `2 i + 1` are linked by the node they leave. Gains are whole numbers, so that sums of them are
  * exact. O(units x nodes x arcs) at worst, about O(units x arcs) for networks that time goes through.
  */
final private[optimum] class GainFlow(nodes: Int) {
  import GainFlow._

  private val first = Array.fill(nodes)(NoArc)
  private var heads, nexts, rooms = new Array[Int](64)
  private var gains = new Array[Long](64)
  private var arcs = 0

  private val best = new Array[Long](nodes)
  private val by = new Array[Int](nodes)
  private val isWaiting = new Array[Boolean](nodes)
  private val waiting = new java.util.ArrayDeque[Integer]

  /** Adds an arc, and gives its number. */
  def add(tail: Int, head: Int, room: Int, gain: Long): Int = {
    link(tail, head, room, gain)
    link(head, tail, 0, -gain)
    arcs - 2
  }

  private def link(tail: Int, head: Int, room: Int, gain: Long): Unit = {
    if (arcs == heads.length) {
      heads = Arrays.copyOf(heads, 2 * arcs)
      nexts = Arrays.copyOf(nexts, 2 * arcs)
      rooms = Arrays.copyOf(rooms, 2 * arcs)
      gains = Arrays.copyOf(gains, 2 * arcs)
    }
    heads(arcs) = head
    rooms(arcs) = room
    gains(arcs) = gain
    nexts(arcs) = first(tail)
    first(tail) = arcs
    arcs += 1
  }

  /** How much flows through an arc. */
  def flow(arc: Int): Int = rooms(arc + 1)

  /** Sends up to so many units, as long as they gain something; what they gain in all. */
  def send(source: Int, sink: Int, units: Int): Long = {
    var total = 0L
    var left = units
    while (left > 0 && reach(source, sink) && best(sink) > 0) {
      total += best(sink)
      left -= 1
      var node = sink
      while (node != source) {
        rooms(by(node)) -= 1
        rooms(by(node) ^ 1) += 1
        node = heads(by(node) ^ 1)
      }
    }
    total
  }

  /** Finds the path of greatest gain to each node. */
  private def reach(source: Int, sink: Int): Boolean = {
    Arrays.fill(best, Unreached)
    best(source) = 0
    waiting.add(source)
    while (!waiting.isEmpty) {
      val node = waiting.poll().intValue
      isWaiting(node) = false
      var arc = first(node)
      while (arc != NoArc) {
        val head = heads(arc)
        if (rooms(arc) > 0 && best(node) + gains(arc) > best(head)) {
          best(head) = best(node) + gains(arc)
          by(head) = arc
          if (!isWaiting(head)) {
            isWaiting(head) = true
            waiting.add(head)
          }
        }
        arc = nexts(arc)
      }
    }
    best(sink) != Unreached
  }
}

private[optimum] object GainFlow {
  val NoArc: Int = -1
  private val Unreached = Long.MinValue
}
