package shedjoin.sim

import shedjoin.core.NoRow
import shedjoin.core.join._

/** Runs a timed trace: the micro-batch of the engine, whose rows are numbers. A step is a row.
  *
  * Rows are stored under the last tick at which they can be met, so what can be reached is what is not before now. The
  * address of a row is its place in the trace.
  */
final private[sim] class RowByRow(trace: Trace, within: Within, store: SimStore, keeper: RunKeeper) extends Driver {
  private val steps = new Steps(trace)
  private val expiry = new Expiry(trace, within)
  private val keys = trace.keyNumbers
  private val shape = {
    val reach = Reach(0, Long.MaxValue, needsTime = true)
    JoinShape(JoinKind.Inner, JoinShape.NoTime - 1, JoinShape.NoTime - 1, reach, reach)
  }
  private val batch = new MicroBatch(stored, incoming, shape, PairCondition.Always, keeper)

  def tick: Long = steps.tick
  def rowsSoFar: Int = steps.rowsSoFar

  def step(): Boolean = {
    val before = steps.rowsSoFar
    while (batch.next()) ()
    steps.rowsSoFar > before
  }

  /** The rows of the trace; there seem to be no more after each, so that a batch comes to its end there. */
  private object incoming extends Incoming {
    private var isPaused = true
    private var row, of = 0

    def isMerged: Boolean = true
    def isAlone: Boolean = false
    def advance(): Boolean = {
      isPaused = !isPaused || !steps.next()
      if (!isPaused) steps.eachRow { (side, place) =>
        of = side
        row = place
      }
      !isPaused
    }
    def side: Int = of
    def key: Int = keys(of)(row)
    def time: Long = steps.tick
    override def storedTime: Long = within.lastTick(trace, of, row)
    def address: Int = row
    def store(isMatched: Boolean): Int = RowByRow.this.store.add(of, row)
    def discard(): Unit = ()
  }

  private object stored extends RowStore {
    def tickAt(time: Long): Long = time
    def lastUpTo(key: Int, side: Int, time: Long): Int = store.first(side, key)
    def previous(row: Int): Int = store.next(row)
    def time(row: Int): Long = store.lastTick(row)
    def address(row: Int): Int = store.place(row)
    def isMatched(row: Int): Boolean = false
    def markMatched(row: Int): Unit = ()
    def isFresh(row: Int): Boolean = false
    def remove(row: Int): Unit = store.remove(row)

    def firstExpired(side: Int, bound: Long): Int = {
      var place = expiry.next(side, bound + 1)
      while (place != Expiry.NoPlace && store.at(side, place) == NoRow) place = expiry.next(side, bound + 1)
      if (place == Expiry.NoPlace) NoRow else store.at(side, place)
    }
  }
}
