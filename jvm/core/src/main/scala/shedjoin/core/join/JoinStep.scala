package shedjoin.core.join

import shedjoin.core.NoRow

/** One micro-batch of a symmetric join: each staged row probes the other side, is emitted with what it meets, and stored;
  * at the end the expired go.
  *
  * A cursor: `probe(side)` and `expire(side)` open a phase, each `next()` moves to the next result, whose rows lie at
  * `left` and `right`, or `NoAddress` beside which a null row belongs. Which rows are stored, and that a left semi join
  * drops a left row at its first match, is as in Spark's operator, whose state counts are compared with ours.
  */
final class JoinStep(store: JoinStore, shape: JoinShape, condition: PairCondition) {
  import JoinStep._
  import JoinStore.NoAddress

  private val kind = shape.kind
  private var phase = Idle
  private var side = Side.Left
  private var place = 0
  private var count = 0
  private var candidate = NoRow
  private var earliest = 0L
  private var matched = false
  private var reach = Reach.Everything
  private var marksOther = false

  private var leftAddress = NoAddress
  private var rightAddress = NoAddress
  private var candidates = 0L
  private var storedRows = 0L
  private var removedRows = 0L

  def left: Int = leftAddress
  def right: Int = rightAddress

  /** How many stored rows were looked at so far, and how many were stored and removed. */
  def candidatesSeen: Long = candidates
  def stored: Long = storedRows
  def removed: Long = removedRows

  /** Opens the phase in which the staged rows, all of `side`, meet the other side and are stored. */
  def probe(side: Int): Unit = {
    this.side = side
    reach = shape.reach(side)
    marksOther = kind.keeps(Side.other(side))
    count = store.arrange()
    place = -1
    candidate = NoRow
    phase = Probing
  }

  /** Opens the phase in which the rows of `side` at or below its bound go, the unmatched ones into the output. */
  def expire(side: Int): Unit = {
    this.side = side
    phase = if (shape.bound(side) == JoinShape.NoBound) Idle else Expiring
  }

  /** Moves to the next result of the open phase; false when it is over. */
  def next(): Boolean =
    if (phase == Probing) nextMatch() else if (phase == Expiring) nextExpired() else false

  private def nextMatch(): Boolean = {
    while (true) {
      while (candidate != NoRow) {
        val row = candidate
        if (store.time(row) < earliest) candidate = NoRow
        else {
          candidate = store.previous(row)
          candidates += 1
          pointAt(row)
          if (condition.holds(leftAddress, rightAddress)) {
            meet(row)
            return true
          }
        }
      }
      if (place >= 0) settle()
      place += 1
      if (place == count) {
        store.clearStaged()
        phase = Idle
        return false
      }
      if (place % Ahead == 0) store.readAhead(place, math.min(place + Ahead, count), Side.other(side))
      open()
    }
    false
  }

  private def open(): Unit = {
    val time = store.stagedTime(place)
    matched = false
    earliest = reach.earliest(time)
    candidate = store.lastUpTo(store.stagedKey(place), Side.other(side), reach.latest(time))
  }

  private def pointAt(row: Int): Unit =
    if (side == Side.Left) {
      leftAddress = store.stagedAddress(place)
      rightAddress = store.address(row)
    } else {
      leftAddress = store.address(row)
      rightAddress = store.stagedAddress(place)
    }

  /** Notes a match; where that takes memory, rows may have moved. */
  private def meet(row: Int): Unit = {
    matched = true
    if (kind eq JoinKind.LeftSemi) {
      if (side == Side.Left) candidate = NoRow
      else {
        store.remove(row)
        removedRows += 1
        pointAt(row)
      }
    } else if (marksOther) {
      store.markMatched(row)
      pointAt(row)
    }
  }

  private def settle(): Unit =
    if (isWorthStoring) {
      store.store(place, side, matched && kind.keeps(side))
      storedRows += 1
    } else store.discard(place)

  /** A right row that expires with this batch has met all it can; it is stored only to come out unmatched. */
  private def isWorthStoring: Boolean =
    if (side == Side.Left) !(matched && (kind eq JoinKind.LeftSemi))
    else {
      val expires = shape.rightBound != JoinShape.NoBound && store.stagedTime(place) <= shape.rightBound
      !expires || (kind.keepsRight && !matched)
    }

  private def nextExpired(): Boolean = {
    val bound = shape.bound(side)
    var row = store.firstExpired(side, bound)
    while (row != NoRow) {
      val isResult = kind.keeps(side) && !store.isMatched(row)
      store.remove(row)
      removedRows += 1
      if (isResult) {
        leftAddress = if (side == Side.Left) store.address(row) else NoAddress
        rightAddress = if (side == Side.Left) NoAddress else store.address(row)
        return true
      }
      row = store.firstExpired(side, bound)
    }
    phase = Idle
    false
  }
}

object JoinStep {

  /** How many staged rows a store is told of at a time, at the most. */
  val Ahead = 64

  private val Idle = 0
  private val Probing = 1
  private val Expiring = 2
}
