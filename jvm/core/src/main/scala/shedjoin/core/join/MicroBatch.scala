package shedjoin.core.join

import scala.annotation.switch

import shedjoin.core.NoRow

/** One micro-batch of a symmetric join: each row that comes probes the other side, is emitted with what it meets, and stored
  * if its keeper wants it; at the end the expired go.
  *
  * A cursor: each `next()` moves to the next result, whose rows lie at `left` and `right`, or `NoAddress` beside which a
  * null row belongs. When there is none, `expire()` opens the end of the batch, and more may follow.
  *
  * Where both sides come as one ([[Incoming.isMerged]]), a row at or below its bound is dead as soon as the rows that come
  * can not reach it. It goes before the row joins for which memory may be short. Which rows count as stored and as removed,
  * and that a left semi join drops a left row at its first match, is as in Spark's operator, which takes one side after the
  * other.
  */
final class MicroBatch(
    store: RowStore,
    incoming: Incoming,
    shape: JoinShape,
    condition: PairCondition,
    keeper: Keeper = Keeper.Everything
) {
  import MicroBatch._
  import RowStore.NoAddress

  private val kind = shape.kind
  private val isSemi = kind eq JoinKind.LeftSemi
  private val isMerged = incoming.isMerged
  private var phase = Coming
  private var isOver = false

  /** The row that joins now, and what is the same for all rows of its side. */
  private var side = Side.Left
  private var reach = shape.leftReach
  private var bound = shape.leftBound
  private var keeps = kind.keepsLeft
  private var marks = kind.keepsRight
  private var time = 0L
  private var matches = 0
  private var candidate = NoRow
  private var earliest = 0L

  /** A left semi join in Spark takes the right rows first and does not store those that expire with the batch: they meet the
    * left rows of earlier batches alone.
    */
  private var meetsEarlierBatches = false

  /** The side whose rows go now, and up to where. */
  private var leaving = Side.Left
  private var leavingUpTo = JoinShape.NoBound

  private var leftAddress = NoAddress
  private var rightAddress = NoAddress
  private var candidates = 0L
  private var storedRows = 0L
  private var removedRows = 0L

  def left: Int = leftAddress
  def right: Int = rightAddress

  /** How many stored rows were looked at so far, and how many count as stored and as removed. */
  def candidatesSeen: Long = candidates
  def stored: Long = storedRows
  def removed: Long = removedRows

  /** Moves to the next result; false when there is none. */
  def next(): Boolean = {
    isOver = false
    var found = false
    while (!found && !isOver) found = (phase: @switch) match {
      case Probing => nextMatch() || settle()
      case Coming => come()
      case Burying => nextDead()
      case Passing => passed()
      case Ending => nextExpired()
    }
    found
  }

  /** Opens the end of the batch, when all its rows have come: those at or below their bound go, first the left ones. */
  def expire(): Unit = {
    phase = Ending
    leave(Side.Left, shape.leftBound)
  }

  private def come(): Boolean =
    if (!incoming.advance()) {
      isOver = true
      false
    } else {
      if (incoming.side != side) turnTo(incoming.side)
      if (incoming.isAlone) comeAlone()
      else {
        time = incoming.time
        keeper.ticks(store.tickAt(time))
        if (isMerged) {
          leave(Side.Left, deadUpTo(Side.Left))
          phase = Burying
        } else open()
        false
      }
    }

  private def turnTo(side: Int): Unit = {
    this.side = side
    reach = shape.reach(side)
    bound = shape.bound(side)
    keeps = kind.keeps(side)
    marks = kind.keeps(Side.other(side))
  }

  private def comeAlone(): Boolean = keeps && {
    pointAlone(side, incoming.address)
    true
  }

  /** Up to where the rows of a side are dead. A row without a time matches nothing where times are compared. */
  private def deadUpTo(side: Int): Long = {
    val reached = shape.reach(Side.other(side)).earliest(time)
    if (reached == Long.MinValue) JoinShape.NoBound else math.min(shape.bound(side), reached - 1)
  }

  private def nextDead(): Boolean = nextLeaving() || {
    if (leaving == Side.Left) leave(Side.Right, deadUpTo(Side.Right)) else open()
    false
  }

  private def open(): Unit = {
    keeper.comes(incoming)
    matches = 0
    meetsEarlierBatches = isMerged && isSemi && side == Side.Right && expires(time)
    earliest = reach.earliest(time)
    candidate = store.lastUpTo(incoming.key, Side.other(side), reach.latest(time))
    phase = Probing
  }

  private def nextMatch(): Boolean = {
    while (candidate != NoRow) {
      val row = candidate
      if (store.time(row) < earliest) candidate = NoRow
      else {
        candidate = store.previous(row)
        candidates += 1
        if (!meetsEarlierBatches || !store.isFresh(row)) {
          pointAt(row)
          if (condition.holds(leftAddress, rightAddress)) {
            meet(row)
            return true
          } else keeper.rejects(row)
        }
      }
    }
    false
  }

  private def pointAt(row: Int): Unit =
    if (side == Side.Left) {
      leftAddress = incoming.address
      rightAddress = store.address(row)
    } else {
      leftAddress = store.address(row)
      rightAddress = incoming.address
    }

  private def pointAlone(side: Int, address: Int): Unit = {
    leftAddress = if (side == Side.Left) address else NoAddress
    rightAddress = if (side == Side.Left) NoAddress else address
  }

  /** Notes a match; where that takes memory, rows may have moved. */
  private def meet(row: Int): Unit = {
    matches += 1
    keeper.meets(row)
    if (isSemi) {
      if (side == Side.Left) candidate = NoRow
      else {
        if (isMerged && store.isFresh(row)) storedRows -= 1 else removedRows += 1
        remove(row, Departure.Consumed)
        pointAt(row)
      }
    } else if (marks) {
      store.markMatched(row)
      pointAt(row)
    }
  }

  private def remove(row: Int, why: Departure): Unit = {
    keeper.goes(row, why)
    store.remove(row)
  }

  /** What becomes of the row that joins now, which has met all that is stored; whether it comes out alone. */
  private def settle(): Boolean = {
    phase = Coming
    if (isSemi && side == Side.Left && matches > 0) {
      pass(Departure.Consumed)
      false
    } else if (isMerged) settleMerged()
    else {
      // A right row that expires with this batch has met all it can; it is stored only to come out unmatched.
      if (side == Side.Left || !expires(time) || isUnmet) keep() else pass(Departure.Expired)
      false
    }
  }

  /** Whether a row of the side that joins now, stored under this time, is gone after the batch. */
  private def expires(time: Long): Boolean = bound != JoinShape.NoBound && time <= bound

  private def isUnmet: Boolean = keeps && matches == 0

  private def settleMerged(): Boolean =
    if (canBeReached) {
      keep()
      false
    } else {
      if (side == Side.Left) storedRows += 1
      countLeaving(side, matches > 0)
      val isResult = isUnmet && keeper.isCertainNow(incoming)
      if (isResult) {
        pointAlone(side, incoming.address)
        phase = Passing
      } else pass(Departure.Expired)
      isResult
    }

  /** Whether a row that is still to come may reach this one; of one time the left rows come first. */
  private def canBeReached: Boolean = {
    val stored = incoming.storedTime
    val next = if (side == Side.Left || time == JoinShape.NoTime) time else time + 1
    !expires(stored) || !meetsEarlierBatches && shape.reach(Side.other(side)).earliest(next) <= stored
  }

  private def passed(): Boolean = {
    pass(Departure.Expired)
    phase = Coming
    false
  }

  private def pass(why: Departure): Unit = {
    keeper.passes(incoming, why)
    incoming.discard()
  }

  private def keep(): Unit = {
    var victim = keeper.inTheWay(incoming)
    while (victim >= 0) {
      remove(victim, Departure.Shed)
      victim = keeper.inTheWay(incoming)
    }
    if (!isMerged || side == Side.Left || !expires(time)) storedRows += 1
    if (victim == Keeper.PassOn) pass(Departure.TooLarge)
    else {
      keeper.stored(incoming.store(matches > 0 && keeps), matches)
      victim = keeper.victim()
      while (victim != NoRow) {
        remove(victim, Departure.Shed)
        victim = keeper.victim()
      }
    }
  }

  private def nextExpired(): Boolean = nextLeaving() || {
    if (leaving == Side.Left) leave(Side.Right, shape.rightBound) else isOver = true
    false
  }

  private def leave(side: Int, upTo: Long): Unit = {
    leaving = side
    leavingUpTo = upTo
  }

  /** Lets rows go up to one that comes out beside a null row; false when no more go. */
  private def nextLeaving(): Boolean = {
    var found = false
    var row = firstLeaving()
    while (row != NoRow) {
      found = kind.keeps(leaving) && !store.isMatched(row) && keeper.isCertain(row)
      if (isMerged && store.isFresh(row)) countLeaving(leaving, store.isMatched(row)) else removedRows += 1
      remove(row, Departure.Expired)
      if (found) pointAlone(leaving, store.address(row))
      row = if (found) NoRow else firstLeaving()
    }
    found
  }

  private def firstLeaving(): Int =
    if (leavingUpTo == JoinShape.NoBound) NoRow else store.firstExpired(leaving, leavingUpTo)

  /** Counts a row that comes and expires in this batch: Spark stores a right one only to let it come out unmatched. */
  private def countLeaving(side: Int, isMatched: Boolean): Unit = {
    val isStored = side == Side.Left || kind.keepsRight && !isMatched
    if (isStored) removedRows += 1
    if (isStored && side == Side.Right) storedRows += 1
  }
}

object MicroBatch {
  final private val Coming = 0
  final private val Probing = 1
  final private val Burying = 2
  final private val Passing = 3
  final private val Ending = 4
}
