package shedjoin.core.collection

import shedjoin.core.Budget

/** Sets of rows, each with its first row, the leader, at hand.
  *
  * Representation: pairing heaps (Fredman, Sedgewick, Sleator, Tarjan 1986) in one table, whose further fields are its
  * owner's. Links are ids + 1, 0 for none. `Owner` is what the owner says of a leader, never 0, and 0 for all others; of
  * those `Next` is the next row below the same one, and `Before` what they hang from: the previous one of these, or the row
  * above. A leader's `Next` and `Before` are its owner's.
  *
  * @param stride how many ints a row has, four of which are the heaps'
  */
final private[collection] class RowHeaps(order: HeapOrder, stride: Int, budget: Budget) {
  import RowHeaps._

  val nodes = new IntTable(stride, budget)

  /** Makes room for `row`, so that putting it can not fail. O(1) amortised. */
  def ensureRoom(row: Int): Unit = nodes.ensure(row + 1)

  def owner(row: Int): Int = nodes(row, Owner)
  def isLeader(row: Int): Boolean = nodes(row, Owner) != 0

  /** Makes a row, one not stored or below none now, the leader of what hangs from it. O(1). */
  def lead(row: Int, owner: Int): Unit = nodes(row, Owner) = owner

  /** A row is there that has none below it. O(1). */
  def clear(row: Int): Unit = nodes(row, Child) = 0

  /** Hangs a row, and all below it, from another one, which comes first. O(1). */
  def hang(upper: Int, row: Int): Unit = {
    val next = nodes(upper, Child)
    nodes(row, Owner) = 0
    nodes(row, Before) = upper + 1
    nodes(row, Next) = next
    if (next != 0) nodes(next - 1, Before) = row + 1
    nodes(upper, Child) = row + 1
  }

  /** Takes a row out that is no leader. Amortised O(log rows of its set). */
  def remove(row: Int): Unit = {
    val heir = withoutTop(row) + 1
    val next = nodes(row, Next)
    if (heir == 0) unhang(row + 1, next)
    else {
      unhang(row + 1, heir)
      nodes(heir - 1, Next) = next
      if (next != 0) nodes(next - 1, Before) = heir
    }
  }

  /** Puts another row, or none, where a row hangs. */
  private def unhang(row: Int, other: Int): Unit = {
    val before = nodes(row - 1, Before)
    nodes(before - 1, if (nodes(before - 1, Child) == row) Child else Next) = other
    if (other != 0) nodes(other - 1, Before) = before
  }

  /** The first of the rows below a row, which all the others then hang from, or `NoRow`: pairs from left to right, then all
    * from right to left. Amortised O(log rows of its set).
    */
  def withoutTop(row: Int): Int = {
    var pairs = 0
    var node = nodes(row, Child)
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
    heap - 1
  }

  private def joined(a: Int, b: Int): Int = {
    val first = if (order.isEarlier(b - 1, a - 1)) b else a
    hang(first - 1, (a ^ b ^ first) - 1)
    first
  }

  /** The row after this one, each before what hangs from it; after the last one of a leader its `Next`, or `NoRow`. O(1)
    * amortised over all.
    */
  def after(row: Int): Int =
    if (nodes(row, Child) != 0) nodes(row, Child) - 1
    else {
      var node = row
      while (!isLeader(node) && nodes(node, Next) == 0) node = above(node)
      nodes(node, Next) - 1
    }

  private def above(row: Int): Int = {
    var node = row + 1
    while (nodes(nodes(node - 1, Before) - 1, Child) != node) node = nodes(node - 1, Before)
    nodes(node - 1, Before) - 1
  }

  /** Checks a row and what hangs from it. */
  def checkInvariants(row: Int)(check: Int => Unit): Unit = {
    check(row)
    var before = row
    var child = nodes(row, Child) - 1
    while (child >= 0) {
      assert(!isLeader(child) && nodes(child, Before) == before + 1, s"row $child after $before")
      assert(!order.isEarlier(child, row), s"row $child below $row")
      checkInvariants(child)(check)
      before = child
      child = nodes(child, Next) - 1
    }
  }
}

private[collection] object RowHeaps {
  val Before = 0
  val Next = 1
  private val Child = 2
  private val Owner = 3

  /** How many fields are the heaps'. */
  val Fields = 4
}
