package shedjoin.core.policy.arrival

import java.io.{DataInput, DataOutput}

import shedjoin.core.Budget
import shedjoin.core.collection.ArrivalEnds
import shedjoin.core.policy.{RowFacts, ShedPolicy, TieOrder}

/** Sheds by when rows came, or were matched last: O(1) where a row comes a tick, else amortised O(log rows of a tick).
  *
  * What is put in order at the tick it is now comes after all before. So rows are a list, and the victim is at one of its
  * ends: FIFO (RECENT of paper 1), UNTIL-EXPIRY, LRU.
  *
  * @param isNewest whether the newest row goes, and not the oldest one
  * @param isRenewed whether a match counts as another arrival
  */
final private[policy] class ArrivalPolicy(isNewest: Boolean, isRenewed: Boolean, facts: RowFacts, budget: Budget)
    extends ShedPolicy {
  private val rows = new ArrivalEnds(new TieOrder(facts), budget)
  private var now = Long.MinValue

  def advance(tick: Long): Unit = {
    if (tick < now) throw new AssertionError(s"time goes back from $now to $tick")
    if (tick > now) rows.close()
    now = tick
  }

  def observed(side: Int, value: Long): Unit = ()

  def arrived(row: Int, matches: Int): Unit = {
    rows.ensureRoom(row)
    rows.put(row)
  }

  def matched(row: Int): Unit = if (isRenewed) {
    rows.remove(row)
    rows.put(row)
  }

  def removed(row: Int): Unit = rows.remove(row)

  def nextVictim(): Int = if (isNewest) rows.firstOfNewest else rows.firstOfOldest

  def save(out: DataOutput): Unit = {
    out.writeLong(now)
    rows.save(out)
  }

  def restore(in: DataInput): Unit = {
    now = in.readLong()
    rows.restore(in)
  }

  def checkInvariants(): Unit = rows.checkInvariants()
}
