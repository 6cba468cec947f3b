package shedjoin.sim

import java.util.Arrays

import shedjoin.core.NoRow
import shedjoin.core.join.{Departure, Side}

/** Runs a trace whose memory is cut once a step: all rows of a time come at once, or rows are stored before they probe. */
final private[sim] class StepByStep(trace: Trace, settings: SimSettings, store: SimStore, keeper: RunKeeper)
    extends Driver {
  import settings.within

  private val steps = new Steps(trace)
  private val expiry = new Expiry(trace, within)
  private val keys = trace.keyNumbers
  private var newcomers = new Array[Int](16)
  private var newcomerCount = 0

  def tick: Long = steps.tick
  def rowsSoFar: Int = steps.rowsSoFar

  def step(): Boolean = {
    val more = steps.next()
    if (more) {
      keeper.ticks(tick)
      expireBefore(tick)
      steps.eachRow(keeper.observes)
      if (settings.order == StepOrder.ProbeFirst) probeFirst() else evictFirst()
      newcomerCount = 0
    }
    more
  }

  private def probeFirst(): Unit = {
    steps.eachRow(meet)
    expireMet()
    cut()
  }

  private def evictFirst(): Unit = {
    steps.eachRow { (side, place) =>
      val row = keep(side, place, 0)
      if (newcomerCount == newcomers.length) newcomers = Arrays.copyOf(newcomers, 2 * newcomerCount)
      newcomers(newcomerCount) = row
      newcomerCount += 1
    }
    cut()
    meetSurvivors()
    expireMet()
  }

  /** A newcomer meets the stored rows of the other side, and is stored if it can meet more. */
  private def meet(side: Int, place: Int): Unit = {
    val matches = probe(side, place)
    if (trace.mayMeetMore(side, within.lastTick(trace, side, place), tick)) keep(side, place, matches): Unit
    else keeper.passes(side, place)
  }

  private def probe(side: Int, place: Int): Int = {
    keeper.probes(side, place)
    var matches = 0
    var row = store.first(Side.other(side), keys(side)(place))
    while (row != NoRow) {
      if (canMeet(row)) {
        keeper.meets(row)
        matches += 1
      }
      row = store.next(row)
    }
    matches
  }

  /** Rows of the same step do not meet in a stepwise trace. */
  private def canMeet(row: Int): Boolean =
    store.lastTick(row) >= tick && !(trace.isStepwise && store.time(row) == tick)

  private def keep(side: Int, place: Int, matches: Int): Int = {
    val row = store.add(side, place)
    keeper.stored(row, matches)
    row
  }

  private def expireBefore(bound: Long): Unit = {
    var side = 0
    while (side < 2) {
      var place = expiry.next(side, bound)
      while (place != Expiry.NoPlace) {
        val row = store.at(side, place)
        if (row != NoRow) drop(row, Departure.Expired)
        place = expiry.next(side, bound)
      }
      side += 1
    }
  }

  /** In a stepwise trace nothing more comes at this tick. */
  private def expireMet(): Unit = if (trace.isStepwise) expireBefore(tick + 1)

  /** Sheds until memory suffices. */
  private def cut(): Unit = {
    var victim = keeper.victim()
    while (victim != NoRow) {
      drop(victim, Departure.Shed)
      victim = keeper.victim()
    }
  }

  private def drop(row: Int, why: Departure): Unit = {
    keeper.goes(row, why)
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
          keeper.matches(row)
          matches -= 1
        }
      }
      i += 1
    }
  }
}
