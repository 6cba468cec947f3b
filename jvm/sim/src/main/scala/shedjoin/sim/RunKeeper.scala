package shedjoin.sim

import shedjoin.core.NoRow
import shedjoin.core.join.{Departure, Incoming, Keeper, Side}

/** Keeps what a policy wants to keep, tells the ledger, and notes what becomes of each row. */
final private[sim] class RunKeeper(trace: Trace, settings: SimSettings, store: SimStore, tally: Tally, sink: RunSink)
    extends Keeper {
  import settings.{combine, count, within}

  val ledger: Ledger = settings.ledgerBytes.map(new Ledger(trace, settings, _)).orNull
  private val policies = new Policies(settings, store, trace.livesEnd(within), Option(ledger).map(_.ages))
  private var now = trace.firstTick
  private var side = Side.Left
  private var place = 0

  /** Whether the results of this tick count. */
  def isCounting: Boolean = settings.countsAt(now - trace.firstTick)

  def ticks(tick: Long): Unit = {
    now = tick
    policies.advance(tick)
    if (ledger != null) ledger.advance(tick)
  }

  def comes(row: Incoming): Unit = {
    observes(row.side, row.address)
    probes(row.side, row.address)
  }

  /** A row came, to be stored or not. */
  def observes(side: Int, place: Int): Unit = policies.observed(side, trace.side(side).values(place))

  /** The row at `place` of `side` meets the stored ones now. */
  def probes(side: Int, place: Int): Unit = {
    this.side = side
    this.place = place
    if (ledger != null) ledger.arrived(side, place)
  }

  def meets(row: Int): Unit = {
    policies.matched(row)
    if (ledger != null) ledger.matched(side, place, store.time(row))
    if (isCounting && count.side(side)) {
      tally.result(combine(trace.side(side).importances(place), store.importance(row)))
      if (side == Side.Left) sink.emit(place, store.place(row)) else sink.emit(store.place(row), place)
    }
  }

  /** A stored row is a partner of another one that is stored. */
  def matches(row: Int): Unit = policies.matched(row)

  def rejects(row: Int): Unit = ()
  def inTheWay(row: Incoming): Int = NoRow
  def stored(row: Int, matches: Int): Unit = policies.arrived(row, matches)

  def passes(row: Incoming, why: Departure): Unit = passes(row.side, row.address)

  /** A row is not stored, as it can meet nothing more. */
  def passes(side: Int, place: Int): Unit = {
    tally.stay(0)
    sink.gone(side, place, now, Fate.Expired)
  }

  def victim(): Int = policies.overdue()

  def goes(row: Int, why: Departure): Unit = {
    val isShed = why == Departure.Shed
    if (isShed) {
      tally.shedOne()
      if (ledger != null) ledger.shed(store.side(row), store.place(row))
    }
    tally.stay(now - store.time(row))
    sink.gone(store.side(row), store.place(row), now, if (isShed) Fate.Shed else Fate.Expired)
    policies.removed(row)
  }

  def isCertain(row: Int): Boolean = false
  def isCertainNow(row: Incoming): Boolean = false

  /** The trace is over, and the row still stored. */
  def stays(row: Int): Unit = {
    tally.stay(trace.lastTick - store.time(row))
    sink.gone(store.side(row), store.place(row), trace.lastTick, Fate.Stayed)
  }
}
