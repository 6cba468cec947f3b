package shedjoin.core.collection

import java.io.{DataInput, DataOutput}

import shedjoin.core.{Budget, NoRow}

/** Rows in the order in which they were put at the end, with the first row of the oldest and of the newest tick at hand.
  *
  * Representation: the rows of one tick are a heap of [[RowHeaps]]; its leader stands for it in a list linked both ways. So a
  * tick of one row costs O(1), and the rows of a tick are put in order only as they become the first. Links are ids + 1, 0 for
  * none; those of leaders are leaders.
  */
final class ArrivalEnds private (order: RowOrder, heaps: RowHeaps) {
  import ArrivalEnds._
  import RowHeaps.{Before, Next}

  private val nodes = heaps.nodes
  private var oldestLeader = 0
  private var newestLeader = 0

  /** Whether the newest tick can still get rows. */
  private var isOpen = false

  def this(order: RowOrder, budget: Budget) = this(order, new RowHeaps(order, RowHeaps.Fields + 1, budget))

  /** Other rows in an order of their own, none of them one of these; they share the room. */
  def another: ArrivalEnds = new ArrivalEnds(order, heaps)

  /** The first row of the oldest tick, and of the newest one, or `NoRow`. O(1). */
  def firstOfOldest: Int = oldestLeader - 1
  def firstOfNewest: Int = newestLeader - 1

  /** Makes room for `row`, so that putting it can not fail. O(1) amortised. */
  def ensureRoom(row: Int): Unit = heaps.ensureRoom(row)

  /** No row of the newest tick comes any more. O(1). */
  def close(): Unit = isOpen = false

  /** Puts a row for which room was made at the end, among those of the newest tick unless that was closed. O(1). */
  def put(row: Int): Unit = {
    heaps.clear(row)
    nodes(row, Leads) = 0
    if (!isOpen) append(row + 1)
    else {
      val led = newestLeader - 1
      if (order.isEarlier(row, led)) {
        replace(led + 1, row + 1)
        heaps.hang(row, led)
      } else heaps.hang(led, row)
    }
  }

  private def append(row: Int): Unit = {
    lead(row, newestLeader, 0)
    if (newestLeader == 0) oldestLeader = row else nodes(newestLeader - 1, Next) = row
    newestLeader = row
    isOpen = true
  }

  /** Takes a row out. O(1) for the last one of its tick, else amortised O(log rows of its tick). */
  def remove(row: Int): Unit =
    if (isLeader(row)) {
      val heir = heaps.withoutTop(row)
      if (heir == NoRow) unlink(row + 1) else replace(row + 1, heir + 1)
    } else heaps.remove(row)

  /** Takes a leader out that leads nothing. */
  private def unlink(leader: Int): Unit = {
    val before = nodes(leader - 1, Before)
    val next = nodes(leader - 1, Next)
    if (before == 0) oldestLeader = next else nodes(before - 1, Next) = next
    if (next != 0) nodes(next - 1, Before) = before
    else {
      newestLeader = before
      isOpen = false
    }
  }

  /** Another row leads where one did. */
  private def replace(leader: Int, other: Int): Unit = {
    val before = nodes(leader - 1, Before)
    val next = nodes(leader - 1, Next)
    nodes(leader - 1, Leads) = 0
    lead(other, before, next)
    if (before == 0) oldestLeader = other else nodes(before - 1, Next) = other
    if (next == 0) newestLeader = other else nodes(next - 1, Before) = other
  }

  private def lead(row: Int, before: Int, next: Int): Unit = {
    nodes(row - 1, Leads) = 1
    nodes(row - 1, Before) = before
    nodes(row - 1, Next) = next
  }

  /** Whether the row is the first of its tick. */
  def isLeader(row: Int): Boolean = nodes(row, Leads) != 0

  /** The row after this one, from `firstOfOldest` on, or `NoRow`: tick by tick, of each the leader first. O(1) amortised
    * over all.
    */
  def after(row: Int): Int =
    if (heaps.below(row) != NoRow) heaps.below(row)
    else {
      var node = row
      while (!isLeader(node) && nodes(node, Next) == 0) node = heaps.above(node)
      nodes(node, Next) - 1
    }

  /** Writes them in their order, each with whether a tick begins with it; reads them where none is. */
  def save(out: DataOutput): Unit = {
    var row = firstOfOldest
    while (row != NoRow) {
      out.writeInt(row)
      out.writeBoolean(isLeader(row))
      row = after(row)
    }
    out.writeInt(NoRow)
    out.writeBoolean(isOpen)
  }

  def restore(in: DataInput): Unit = {
    var row = in.readInt()
    while (row != NoRow) {
      if (in.readBoolean()) close()
      ensureRoom(row)
      put(row)
      row = in.readInt()
    }
    isOpen = in.readBoolean()
  }

  def checkInvariants(): Unit = {
    assert(!isOpen || newestLeader != 0, "no row in the newest tick")
    var before = 0
    var leader = oldestLeader
    while (leader != 0) {
      assert(isLeader(leader - 1) && nodes(leader - 1, Before) == before, s"row ${leader - 1} after ${before - 1}")
      heaps.checkInvariants(leader - 1)(row => assert(isLeader(row) == (row == leader - 1), s"row $row"))
      before = leader
      leader = nodes(leader - 1, Next)
    }
    assert(newestLeader == before, s"the newest leader is ${newestLeader - 1} and must be ${before - 1}")
  }
}

object ArrivalEnds {

  /** 1 for the first row of a tick, and 0 for others. */
  private val Leads = RowHeaps.Fields
}
