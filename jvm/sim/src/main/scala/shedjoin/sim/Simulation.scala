package shedjoin.sim

import shedjoin.core.NoRow
import shedjoin.core.join.Side
import shedjoin.core.ledger.RecallEstimate

/** Runs the policies of `core` on a trace, as the engine would, but for rows that are numbers.
  *
  * O(rows log rows + results).
  */
final class Simulation(trace: Trace, settings: SimSettings, sink: RunSink) {
  import settings.{combine, count, within}

  private val store = new SimStore(trace, within)
  private val ledger = settings.ledgerBytes.map(new Ledger(trace, settings, _)).orNull
  private val policies = new Policies(settings, store, trace.livesEnd(within), Option(ledger).map(_.ages))
  private val tally = new Tally
  private val steps = new Steps(trace)
  private val expiry = new Expiry(trace, within)
  private val keys = trace.keyNumbers
  private var newcomers = new Array[Int](16)
  private var newcomerCount = 0

  /** Runs the trace from where it stands to the end. */
  def run(): SimResult = {
    while (step()) ()
    finish()
    tally.total.copy(estimate = estimate)
  }

  /** What the ledger makes of the run so far, if there is one. */
  def estimate: Option[RecallEstimate] = Option(ledger).map(_.estimate)

  /** The rows stored now. */
  def storedRows: Int = store.count
  def storedRows(side: Int): Int = store.count(side)

  /** The time of the last step. */
  def tick: Long = steps.tick
  def rowsSoFar: Int = steps.rowsSoFar

  /** What was found, and shed, so far. */
  def outputs: Long = tally.outputs
  def shed: Long = tally.shed

  /** Takes the rows that come next; false when there are none. */
  def step(): Boolean = {
    val more = steps.next()
    if (more) {
      policies.advance(tick)
      if (ledger != null) ledger.advance(tick)
      expireBefore(tick)
      steps.eachRow((side, place) => policies.observed(side, trace.side(side).values(place)))
      if (settings.order == StepOrder.ProbeFirst) probeFirst() else evictFirst()
      newcomerCount = 0
      if (isCounting) tally.stored(store.count(Side.Left), store.count)
    }
    more
  }

  private def probeFirst(): Unit = {
    steps.eachRow(meet)
    expireMet()
    cut()
  }

  private def evictFirst(): Unit = {
    steps.eachRow((side, place) => keep(side, place, 0))
    cut()
    meetSurvivors()
    expireMet()
  }

  /** A newcomer meets the stored rows of the other side, and is stored if it can meet more. */
  private def meet(side: Int, place: Int): Unit = {
    if (ledger != null) ledger.arrived(side, place)
    val matches = probe(side, place)
    if (trace.mayMeetMore(side, within.lastTick(trace, side, place), tick)) keep(side, place, matches)
    else {
      tally.stay(0)
      sink.gone(side, place, tick, Fate.Expired)
    }
  }

  private def probe(side: Int, place: Int): Int = {
    var matches = 0
    var row = store.first(Side.other(side), keys(side)(place))
    while (row != NoRow) {
      if (canMeet(row)) {
        policies.matched(row)
        if (ledger != null) ledger.matched(side, place, store.time(row))
        emit(side, place, row)
        matches += 1
      }
      row = store.next(row)
    }
    matches
  }

  /** Rows of the same step do not meet in a stepwise trace. */
  private def canMeet(row: Int): Boolean =
    store.lastTick(row) >= tick && !(trace.isStepwise && store.time(row) == tick)

  private def emit(side: Int, place: Int, row: Int): Unit = if (isCounting && count.side(side)) {
    tally.result(combine(trace.side(side).importances(place), store.importance(row)))
    if (side == Side.Left) sink.emit(place, store.place(row)) else sink.emit(store.place(row), place)
  }

  private def isCounting: Boolean = settings.countsAt(tick - trace.firstTick)

  private def keep(side: Int, place: Int, matches: Int): Unit = {
    val row = store.add(side, place)
    policies.arrived(row, matches)
    if (settings.order == StepOrder.EvictFirst) {
      if (newcomerCount == newcomers.length) newcomers = java.util.Arrays.copyOf(newcomers, 2 * newcomerCount)
      newcomers(newcomerCount) = row
      newcomerCount += 1
    }
  }

  private def expireBefore(bound: Long): Unit = {
    var side = 0
    while (side < 2) {
      var place = expiry.next(side, bound)
      while (place != Expiry.NoPlace) {
        val row = store.at(side, place)
        if (row != NoRow) drop(row, Fate.Expired)
        place = expiry.next(side, bound)
      }
      side += 1
    }
  }

  /** In a stepwise trace nothing more comes at this tick. */
  private def expireMet(): Unit = if (trace.isStepwise) expireBefore(tick + 1)

  /** Sheds until memory suffices. */
  private def cut(): Unit = {
    var victim = policies.overdue()
    while (victim != NoRow) {
      tally.shedOne()
      if (ledger != null) ledger.shed(store.side(victim), store.place(victim))
      drop(victim, Fate.Shed)
      victim = policies.overdue()
    }
  }

  private def drop(row: Int, fate: Fate): Unit = {
    tally.stay(tick - store.time(row))
    sink.gone(store.side(row), store.place(row), tick, fate)
    policies.removed(row)
    var i = 0
    while (i < newcomerCount) {
      if (newcomers(i) == row) newcomers(i) = NoRow
      i += 1
    }
    store.remove(row)
  }

  private def meetSurvivors(): Unit = {
    var i = 0
    while (i < newcomerCount) {
      val row = newcomers(i)
      if (row != NoRow) {
        var matches = probe(store.side(row), store.place(row))
        while (matches > 0) {
          policies.matched(row)
          matches -= 1
        }
      }
      i += 1
    }
  }

  private def finish(): Unit = Seq(Side.Left, Side.Right).foreach { side =>
    (0 until trace.side(side).size).foreach { place =>
      val row = store.at(side, place)
      if (row != NoRow) {
        tally.stay(trace.lastTick - store.time(row))
        sink.gone(side, place, trace.lastTick, Fate.Stayed)
        store.remove(row)
      }
    }
  }
}
