package shedjoin.core.collection

import shedjoin.core.Budget

/** Rows in groups, each with its first row at hand, by the ties' `second` and `compare`, and by id where these tell nothing.
  *
  * Representation: the rows of a group are a pairing heap (Fredman, Sedgewick, Sleator, Tarjan 1986). A row is hung below
  * the latest one known, else below the one put last, and only where it comes before both below the first one. So rows that
  * come in their order are a list, and the first of it goes at O(1); others cost O(log rows), amortised. Links are ids + 1,
  * 0 for none; `Before` is the previous row below the same one, or the row above. For the first row of a group it has no
  * meaning, and `Next` neither.
  */
final class GroupedRows(ties: RankTies, firsts: FirstRows, budget: Budget) {
  import GroupedRows._

  private val nodes = new IntTable(4, budget)
  private val groups = new IntTable(4, budget, GroupChunk)

  /** The first row of a group, or `NoRow`. O(1). */
  def first(group: Int): Int = groups(group, First) - 1

  /** The group of a stored row. O(1). */
  def group(row: Int): Int = nodes(row, Group)

  /** Makes room for a row, or for a group, so that putting it can not fail. O(1) amortised. */
  def ensureRoom(row: Int): Unit = nodes.ensure(row + 1)
  def ensureGroup(group: Int): Unit = groups.ensure(group + 1)

  /** Puts a row into a group, with room made for both. O(1) where it comes after the one put last into it, else O(log rows of
    * the group), amortised.
    */
  def put(row: Int, group: Int): Unit = {
    nodes(row, Child) = 0
    nodes(row, Group) = group
    if (first(group) == RowOrder.NoRow) {
      groups(group, First) = row + 1
      groups(group, Latest) = row + 1
      groups(group, Last) = row + 1
      firsts.firstChanged(group)
    } else if (isFirst(row + 1, group)) {
      hang(row + 1, groups(group, First))
      groups(group, First) = row + 1
      firsts.firstChanged(group)
    }
  }

  /** Whether a row comes first in a group; where it does not, it is hung where it belongs. */
  private def isFirst(row: Int, group: Int): Boolean = {
    val first = groups(group, First)
    val latest = groups(group, Latest)
    val last = groups(group, Last)
    groups(group, Last) = row
    val isLatest = !isEarlier(row, latest)
    if (isLatest) groups(group, Latest) = row
    val upper = if (isLatest) latest else if (!isEarlier(row, last)) last else first
    val isFirst = upper == first && isEarlier(row, first)
    if (!isFirst) hang(upper, row)
    isFirst
  }

  /** Takes a row out. O(1) in a list, else O(log rows of its group), amortised. */
  def remove(row: Int): Unit = {
    val group = nodes(row, Group)
    val heir = heapBelow(row + 1)
    if (groups(group, First) == row + 1) {
      groups(group, First) = heir
      forget(group, row + 1, heir)
      if (heir == 0) firsts.emptied(group) else firsts.firstChanged(group)
    } else {
      forget(group, row + 1, nodes(row, Before))
      replace(row, heir)
    }
  }

  /** Another row of the group stands where one did that goes. */
  private def forget(group: Int, row: Int, other: Int): Unit = {
    if (groups(group, Latest) == row) groups(group, Latest) = other
    if (groups(group, Last) == row) groups(group, Last) = other
  }

  /** Puts another row, or none, where a row hangs. */
  private def replace(row: Int, heir: Int): Unit = {
    val before = nodes(row, Before)
    val next = nodes(row, Next)
    val other = if (heir == 0) next else heir
    nodes(before - 1, if (nodes(before - 1, Child) == row + 1) Child else Next) = other
    if (other != 0) nodes(other - 1, Before) = before
    if (heir != 0) {
      nodes(heir - 1, Next) = next
      if (next != 0) nodes(next - 1, Before) = heir
    }
  }

  /** The rows below a row, as one heap: pairs from left to right, then all from right to left. */
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
    heap
  }

  private def joined(a: Int, b: Int): Int = {
    val first = if (isEarlier(b, a)) b else a
    hang(first, a ^ b ^ first)
    first
  }

  private def hang(upper: Int, row: Int): Unit = {
    val next = nodes(upper - 1, Child)
    nodes(row - 1, Before) = upper
    nodes(row - 1, Next) = next
    if (next != 0) nodes(next - 1, Before) = row
    nodes(upper - 1, Child) = row
  }

  private def isEarlier(a: Int, b: Int): Boolean = {
    val secondA = ties.second(a - 1)
    val secondB = ties.second(b - 1)
    secondA < secondB || secondA == secondB && isEarlierTied(a, b)
  }

  private def isEarlierTied(a: Int, b: Int): Boolean = {
    val byContent = ties.compare(a - 1, b - 1)
    byContent < 0 || byContent == 0 && a < b
  }

  def checkInvariants(): Unit = (0 until groups.capacity).filter(groups(_, First) != 0).foreach { group =>
    val rows = below(groups(group, First)) :+ groups(group, First)
    assert(rows.forall(row => nodes(row - 1, Group) == group), s"a row of group $group is of another one")
    Seq(Latest, Last).foreach { field =>
      assert(rows.contains(groups(group, field)), s"row ${groups(group, field) - 1} is not in group $group")
    }
  }

  /** The rows below one, checked. */
  private def below(upper: Int): Seq[Int] = {
    val children = Iterator.iterate(nodes(upper - 1, Child))(row => nodes(row - 1, Next)).takeWhile(_ != 0).toSeq
    children.zip(upper +: children).foreach { case (row, before) =>
      assert(nodes(row - 1, Before) == before, s"row ${row - 1} after ${before - 1}")
      assert(isEarlier(upper, row), s"row ${row - 1} below ${upper - 1}")
    }
    children ++ children.flatMap(below)
  }
}

object GroupedRows {
  private val Child = 0
  private val Next = 1
  private val Before = 2
  private val Group = 3

  private val First = 0
  private val Latest = 1
  private val Last = 2
  private val GroupChunk = 8
}
