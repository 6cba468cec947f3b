package shedjoin.sim

import shedjoin.core.join.{JoinShape, Side}
import shedjoin.core.ledger.{AgeCurveSource, GhostLedger, LedgerSettings, RecallEstimate}
import shedjoin.core.{Budget, Mixer}

/** The ghost ledger of a run, told what the engine would tell it; knows only what was found, never what there is. */
final private[sim] class Ledger(trace: Trace, settings: SimSettings, bytes: Long) {
  import settings.within

  private val ledger = new GhostLedger(
    LedgerSettings.within(bytes, within.before, within.after, isOuter = false, settings.seed),
    new Budget(bytes)
  )
  private val hashes = Array(trace.left, trace.right).map(_.keys.map(Ledger.hash))
  private var isCounting = false

  /** How many partners rows meet by age, as far as it knows. */
  def ages: AgeCurveSource = ledger.ages

  def advance(tick: Long): Unit = {
    ledger.advance(tick, bound(Side.Left, tick), bound(Side.Right, tick))
    if (!isCounting && settings.countsAt(tick - trace.firstTick)) {
      isCounting = true
      ledger.startAnew()
    }
  }

  private def bound(side: Int, tick: Long): Long =
    if (within.life(side) == Within.Ever.life(side)) JoinShape.NoBound else tick - within.life(side) - 1

  def arrived(side: Int, place: Int): Unit = {
    val _ = ledger.arrived(side, hashes(side)(place), trace.side(side).times(place))
  }

  /** The row at `place` of `side`, that came now, met a stored one, of `rowTime`. */
  def matched(side: Int, place: Int, rowTime: Long): Unit =
    ledger.matched(Side.other(side), hashes(side)(place), rowTime, trace.side(side).times(place))

  def shed(side: Int, place: Int): Unit = {
    val last = within.lastTick(trace, side, place)
    ledger.shed(side, hashes(side)(place), trace.side(side).times(place), last)
  }

  def estimate: RecallEstimate = settings.count match {
    case Counted.Both => ledger.estimate
    case Counted.Left => ledger.estimate(Side.Left)
    case Counted.Right => ledger.estimate(Side.Right)
  }
}

private object Ledger {

  private def hash(key: Long): Int = {
    val h = (key ^ (key >>> 32)) * Mixer.Golden
    (h >>> 32).toInt
  }
}
