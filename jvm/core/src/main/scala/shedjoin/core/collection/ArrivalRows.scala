package shedjoin.core.collection

import shedjoin.core.Budget

/** Rows in the order in which they were put at the end, with the first row of the oldest and of the newest tick at hand.
  *
  * Representation: the rows of one tick are a pairing heap (Fredman, Sedgewick, Sleator, Tarjan 1986), by the ties' `second`
  * and `compare`, and by id where these tell nothing; its first row, the leader, stands for it in a list linked both ways.
  * So a tick of one row costs O(1), and the rows of a tick are put in order only as they become the first. Links are ids + 1,
  * 0 for none. A leader's `Before` and `Next` are leaders; for another row `Next` is the next row below the same one, and
  * `Before` what it hangs from: the previous one of these, or the row above.
  */
final class ArrivalRows(ties: RankTies, budget: Budget) {
  import ArrivalRows._

  private val nodes = new IntTable(4, budget)
  private var oldestLeader = 0
  private var newestLeader = 0

  /** Whether the newest tick can still get rows. */
  private var isOpen = false

  /** The first row of the oldest tick, and of the newest one, or `NoRow`. O(1). */
  def firstOfOldest: Int = oldestLeader - 1
  def firstOfNewest: Int = newestLeader - 1

  /** Whether the row put last is still there, or another one of its tick. O(1). */
  def isNewestOpen: Boolean = isOpen

  /** Makes room for `row`, so that putting it can not fail. O(1) amortised. */
  def ensureRoom(row: Int): Unit = nodes.ensure(row + 1)

  /** No row of the newest tick comes any more. O(1). */
  def close(): Unit = isOpen = false

  /** Puts a row for which room was made at the end, among those of the newest tick unless that was closed. O(1). */
  def put(row: Int): Unit = {
    nodes(row, Child) = 0
    if (!isOpen) append(row + 1)
    else if (isEarlier(row + 1, newestLeader)) {
      val led = newestLeader
      replace(led, row + 1)
      hang(row + 1, led)
    } else hang(newestLeader, row + 1)
  }

  private def append(row: Int): Unit = {
    lead(row, newestLeader, 0)
    if (newestLeader == 0) oldestLeader = row else nodes(newestLeader - 1, Next) = row
    newestLeader = row
    isOpen = true
  }

  /** Takes a row out. O(1) for the last one of its tick, else amortised O(log rows of its tick). */
  def remove(row: Int): Unit = {
    val heir = heapBelow(row + 1)
    if (nodes(row, IsLeader) != 0) if (heir == 0) unlink(row + 1) else replace(row + 1, heir)
    else {
      val next = nodes(row, Next)
      if (heir == 0) unhang(row + 1, next)
      else {
        unhang(row + 1, heir)
        nodes(heir - 1, Next) = next
        if (next != 0) nodes(next - 1, Before) = heir
      }
    }
  }

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
    lead(other, before, next)
    if (before == 0) oldestLeader = other else nodes(before - 1, Next) = other
    if (next == 0) newestLeader = other else nodes(next - 1, Before) = other
  }

  private def lead(row: Int, before: Int, next: Int): Unit = {
    nodes(row - 1, IsLeader) = 1
    nodes(row - 1, Before) = before
    nodes(row - 1, Next) = next
  }

  private def hang(upper: Int, row: Int): Unit = {
    val next = nodes(upper - 1, Child)
    nodes(row - 1, IsLeader) = 0
    nodes(row - 1, Before) = upper
    nodes(row - 1, Next) = next
    if (next != 0) nodes(next - 1, Before) = row
    nodes(upper - 1, Child) = row
  }

  /** Puts another row, or none, where a row hangs. */
  private def unhang(row: Int, other: Int): Unit = {
    val before = nodes(row - 1, Before)
    nodes(before - 1, if (nodes(before - 1, Child) == row) Child else Next) = other
    if (other != 0) nodes(other - 1, Before) = before
  }

  /** The rows below a row, as one heap, which hangs from nothing: pairs from left to right, then all from right to left. */
  private def heapBelow(row: Int): Int = {
    var pairs = 0
    var node = nodes(row - 1, Child)
    while (node != 0) {
      val second = nodes(node - 1, Next)
      val rest = if (second == 0) 0 else nodes(second - 1, Next)
      val pair = if (second == 0) node else joined(node, second)
      nodes(pair - 1, Next) = pairs
      pairs = pair
      node = rest
    }
    var heap = 0
    while (pairs != 0) {
      val rest = nodes(pairs - 1, Next)
      heap = if (heap == 0) pairs else joined(heap, pairs)
      pairs = rest
    }
    if (heap != 0) nodes(heap - 1, Next) = 0
    heap
  }

  private def joined(a: Int, b: Int): Int = {
    val first = if (isEarlier(b, a)) b else a
    hang(first, a ^ b ^ first)
    first
  }

  private def isEarlier(a: Int, b: Int): Boolean = {
    val secondA = ties.second(a - 1)
    val secondB = ties.second(b - 1)
    if (secondA != secondB) secondA < secondB
    else {
      val byContent = ties.compare(a - 1, b - 1)
      if (byContent != 0) byContent < 0 else a < b
    }
  }

  /** Whether the row is the first of its tick. */
  def isLeader(row: Int): Boolean = nodes(row, IsLeader) != 0

  /** The row after this one, from `firstOfOldest` on, or `NoRow`: tick by tick, of each the leader first. O(1) amortised
    * over all.
    */
  def after(row: Int): Int =
    if (nodes(row, Child) != 0) nodes(row, Child) - 1
    else {
      var node = row + 1
      while (!isLeader(node - 1) && nodes(node - 1, Next) == 0) node = above(node)
      nodes(node - 1, Next) - 1
    }

  private def above(row: Int): Int = {
    var node = row
    while (nodes(nodes(node - 1, Before) - 1, Child) != node) node = nodes(node - 1, Before)
    nodes(node - 1, Before)
  }

  def checkInvariants(): Unit = {
    assert(!isOpen || newestLeader != 0, "no row in the newest tick")
    var before = 0
    var leader = oldestLeader
    while (leader != 0) {
      assert(isLeader(leader - 1) && nodes(leader - 1, Before) == before, s"row ${leader - 1} after ${before - 1}")
      checkBelow(leader)
      before = leader
      leader = nodes(leader - 1, Next)
    }
    assert(newestLeader == before, s"the newest leader is ${newestLeader - 1} and must be ${before - 1}")
  }

  private def checkBelow(node: Int): Unit = {
    var before = node
    var child = nodes(node - 1, Child)
    while (child != 0) {
      assert(!isLeader(child - 1) && nodes(child - 1, Before) == before, s"row ${child - 1} after ${before - 1}")
      assert(isEarlier(node, child), s"row ${child - 1} below ${node - 1}")
      checkBelow(child)
      before = child
      child = nodes(child - 1, Next)
    }
  }
}

object ArrivalRows {
  private val Before = 0
  private val Next = 1
  private val Child = 2
  private val IsLeader = 3
}
