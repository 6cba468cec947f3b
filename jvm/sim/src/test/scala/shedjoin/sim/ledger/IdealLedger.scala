package shedjoin.sim.ledger

import java.util.{HashMap => Cells}

import shedjoin.core.join.Side
import shedjoin.sim.{Fate, RunSink, Trace, Within}

/** How wide the 95 % intervals would be of two ledgers that remember cells of shed rows by lot in the same space, and that
  * know how far they may be off: of one that draws all cells alike, and of one that knows before what each cell will lose.
  *
  * Of the second the variance is least where a cell that loses x is remembered with probability min(1, x / tau): the sum of
  * x (tau - x) for x below tau. In the mean over the run as many cells are remembered as there is room for; a cell lasts
  * from its first shed row to the end of its window.
  */
final class IdealLedger(trace: Trace, within: Within, room: Double) extends RunSink {
  import IdealLedger._

  /** The times of the rows of each side and key. */
  private val times = Array(Side.Left, Side.Right).map { side =>
    val byKey = Array.fill(trace.keyCount)(Array.newBuilder[Long])
    trace.side(side).times.indices.foreach(i => byKey(trace.keyNumbers(side)(i)) += trace.side(side).times(i))
    byKey.map(_.result())
  }
  private val cells = new Cells[(Int, Int, Long), Cell]

  def emit(left: Int, right: Int): Unit = ()

  override def gone(side: Int, place: Int, tick: Long, fate: Fate): Unit = if (fate == Fate.Shed) {
    val key = trace.keyNumbers(side)(place)
    val width = math.max(1L, within.life(side) / PerLife)
    val bucket = Math.floorDiv(trace.side(side).times(place), width)
    val end = math.min((bucket + 1) * width + within.life(side), trace.lastTick)
    val cell = cells.computeIfAbsent((side, key, bucket), _ => new Cell(math.max(0L, end - tick)))
    cell.lost += partners(times(Side.other(side))(key), tick, within.lastTick(trace, side, place))
  }

  private def partners(times: Array[Long], after: Long, upTo: Long): Int =
    math.max(0, firstAfter(times, upTo) - firstAfter(times, after))

  private def firstAfter(times: Array[Long], tick: Long): Int = {
    var low = 0
    var high = times.length
    while (low < high) {
      val middle = (low + high) >>> 1
      if (times(middle) <= tick) low = middle + 1 else high = middle
    }
    low
  }

  /** The width where all cells are drawn alike, and where what they lose is known before. */
  def widths(found: Double): (Double, Double) = {
    val all = cells.values.toArray(Array.empty[Cell])
    val span = math.max(1L, trace.lastTick - trace.firstTick).toDouble
    def remembered(chance: Double => Double): Double = all.map(c => chance(c.lost) * c.lasts / span).sum
    val alike = math.min(1, room / math.max(1.0, remembered(_ => 1)))
    var (low, high) = (0.0, 1 + all.map(_.lost).maxOption.getOrElse(0.0) * all.length)
    (1 to Halvings).foreach { _ =>
      val tau = (low + high) / 2
      if (remembered(x => math.min(1, x / tau)) > room) low = tau else high = tau
    }
    val lost = all.map(_.lost).sum
    val ofAlike = all.map(c => c.lost * c.lost * (1 / alike - 1)).sum
    val ofKnowing = all.map(c => c.lost * math.max(0, high - c.lost)).sum
    (width(found, lost, ofAlike), width(found, lost, ofKnowing))
  }

  private def width(found: Double, lost: Double, variance: Double): Double = {
    def recall(lost: Double): Double = if (found + lost == 0) 1 else found / (found + lost)
    val half = Quantile * math.sqrt(variance)
    recall(math.max(0, lost - half)) - recall(lost + half)
  }
}

private object IdealLedger {
  private val PerLife = 16
  private val Halvings = 40
  private val Quantile = 1.96

  /** A cell of shed rows: what it loses, and for how many ticks it is there. */
  final class Cell(val lasts: Long) {
    var lost = 0.0
  }
}
