package shedjoin.core.collection

import shedjoin.core.Budget

/** Sets of rows, each of which hangs from its first row, the leader.
  *
  * Representation: pairing heaps (Fredman, Sedgewick, Sleator, Tarjan 1986) in one table, whose further fields are its
  * owner's, who knows the leaders. Links are ids + 1, 0 for none. `Child` is the row hung last from a row; of a row that
  * hangs `Next` is the next one below the same row, and `Before` the previous one of these, or the row above. A leader's
  * `Next` and `Before` are its owner's.
  *
  * @param stride how many ints a row has, three of which are the heaps'
  */
final private[collection] class RowHeaps(order: RowOrder, stride: Int, budget: Budget) {
  import RowHeaps._

  val nodes = new IntTable(stride, budget)

  /** Makes room for `row`, so that putting it can not fail. O(1) amortised. */
  def ensureRoom(row: Int): Unit = nodes.ensure(row + 1)

  /** A row is there that has none below it. O(1). */
  def clear(row: Int): Unit = nodes(row, Child) = 0

  /** Hangs a row, and all below it, from another one, which comes first. O(1). */
  def hang(upper: Int, row: Int): Unit = {
    val next = nodes(upper, Child)
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

  /** The row hung last from a row, or `NoRow`. O(1). */
  def below(row: Int): Int = nodes(row, Child) - 1

  /** The row that a row hangs from. O(rows hung from it after this one). */
  def above(row: Int): Int = {
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
      assert(nodes(child, Before) == before + 1, s"row $child after $before")
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

  /** How many fields are the heaps'. */
  val Fields = 3
}
