package shedjoin.sim

import shedjoin.core.join.Side
import shedjoin.core.policy.RowFacts

/** Runs the policies of `core` on a trace, as the engine would, but for rows that are numbers.
  *
  * O(rows log rows + results).
  */
final class Simulation(trace: Trace, settings: SimSettings, sink: ResultSink) {
  import RowFacts.NoRow
  import settings.{count, within}

  private val store = new SimStore(trace, within)
  private val policies = new Policies(settings, store)
  private val tally = new Tally
  private val firstTick = Seq(trace.left, trace.right).flatMap(_.times.headOption).minOption.getOrElse(0L)

  /** The rows of the step, as places on their sides, up to `ends`. */
  private val starts, ends = new Array[Int](2)
  private var tick = firstTick
  private var newcomers = new Array[Int](16)
  private var newcomerCount = 0

  /** Runs the trace from where it stands to the end. */
  def run(): SimResult = {
    while (step()) ()
    finish()
    tally.total
  }

  /** The rows stored now. */
  def storedRows: Int = store.count
  def storedRows(side: Int): Int = store.count(side)

  /** Takes the rows that come next; false when there are none. */
  def step(): Boolean = {
    val more = open()
    if (more) {
      policies.advance(tick)
      expireBefore(tick)
      eachRow((side, place) => policies.observed(side, trace.side(side).values(place)))
      if (settings.order == StepOrder.ProbeFirst) probeFirst() else evictFirst()
      newcomerCount = 0
      if (counts(tick)) tally.stored(store.count(Side.Left), store.count)
    }
    more
  }

  private def probeFirst(): Unit = {
    eachRow(meet)
    expireMet()
    cut()
  }

  private def evictFirst(): Unit = {
    eachRow((side, place) => keep(side, place, 0))
    cut()
    meetSurvivors()
    expireMet()
  }

  /** Finds the rows of the next step. */
  private def open(): Boolean = {
    starts(Side.Left) = ends(Side.Left)
    starts(Side.Right) = ends(Side.Right)
    val left = timeOf(Side.Left)
    val right = timeOf(Side.Right)
    tick = math.min(left, right)
    if (trace.isStepwise) {
      while (timeOf(Side.Left) == tick && tick != RowFacts.Never) ends(Side.Left) += 1
      while (timeOf(Side.Right) == tick && tick != RowFacts.Never) ends(Side.Right) += 1
    } else if (tick != RowFacts.Never) ends(if (left == tick) Side.Left else Side.Right) += 1
    tick != RowFacts.Never
  }

  private def timeOf(side: Int): Long =
    if (ends(side) < trace.side(side).size) trace.side(side).times(ends(side)) else RowFacts.Never

  private def eachRow(act: (Int, Int) => Unit): Unit = {
    var side = 0
    while (side < 2) {
      var place = starts(side)
      while (place < ends(side)) {
        act(side, place)
        place += 1
      }
      side += 1
    }
  }

  /** A newcomer meets the stored rows of the other side, and is stored if it can meet more. */
  private def meet(side: Int, place: Int): Unit = {
    val matches = probe(side, place)
    if (mayMeetMore(side, store.lastTickAt(side, place))) keep(side, place, matches) else tally.stay(0)
  }

  private def probe(side: Int, place: Int): Int = {
    var matches = 0
    var row = store.first(Side.other(side), trace.side(side).values(place))
    while (row != NoRow) {
      if (canMeet(row)) {
        policies.matched(row)
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

  private def emit(side: Int, place: Int, row: Int): Unit = if (counts(tick) && count.side(side)) {
    tally.result(math.min(trace.side(side).importances(place), store.importance(row)))
    if (side == Side.Left) sink.emit(place, store.place(row)) else sink.emit(store.place(row), place)
  }

  private def counts(tick: Long): Boolean = tick - firstTick >= settings.warmup

  private def keep(side: Int, place: Int, matches: Int): Unit = {
    val row = store.add(side, place)
    policies.arrived(row, matches)
    if (newcomerCount == newcomers.length) newcomers = java.util.Arrays.copyOf(newcomers, 2 * newcomerCount)
    newcomers(newcomerCount) = row
    newcomerCount += 1
  }

  /** At one time, only right rows can come after left ones. */
  private def mayMeetMore(side: Int, lastTick: Long): Boolean =
    lastTick > tick || lastTick == tick && side == Side.Left && !trace.isStepwise

  private def expireBefore(bound: Long): Unit = {
    var row = store.firstToExpire
    while (row != NoRow && store.lastTick(row) < bound) {
      drop(row)
      row = store.firstToExpire
    }
  }

  /** In a stepwise trace nothing more comes at this tick. */
  private def expireMet(): Unit = if (trace.isStepwise) expireBefore(tick + 1)

  /** Sheds until memory suffices. */
  private def cut(): Unit = {
    var victim = policies.overdue()
    while (victim != NoRow) {
      tally.shedOne()
      drop(victim)
      victim = policies.overdue()
    }
  }

  private def drop(row: Int): Unit = {
    tally.stay(tick - store.time(row))
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

  private def finish(): Unit = {
    var row = store.firstToExpire
    while (row != NoRow) {
      tally.stay(lastTime - store.time(row))
      store.remove(row)
      row = store.firstToExpire
    }
  }

  private def lastTime: Long = Seq(trace.left, trace.right).flatMap(_.times.lastOption).maxOption.getOrElse(0L)
}

object Simulation {
  def run(trace: Trace, settings: SimSettings): SimResult = new Simulation(trace, settings, ResultSink.Nowhere).run()

  /** The same with all the memory it takes: what an exact join finds. */
  def exact(trace: Trace, settings: SimSettings): SimResult =
    run(trace, settings.copy(policy = "random", settings = Map.empty, memory = Memory.Shared(Int.MaxValue)))
}
