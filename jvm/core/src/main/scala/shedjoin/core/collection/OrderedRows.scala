package shedjoin.core.collection

import shedjoin.core.Budget

/** Rows on lines, that is several sets of rows, each sorted by coordinate, which give the first row of any range.
  *
  * Representation: a treap a line, its priorities a mix of the row ids, so that its shape depends on its content alone. A
  * node carries the first row, by the order's `compare`, of its subtree. Links are ids + 1, 0 for none.
  */
final class OrderedRows(lines: Int, order: RowOrder, budget: Budget) {
  import OrderedRows._
  import RowOrder.NoRow

  private val nodes = new IntTable(4, budget)
  private val roots = {
    budget.reserve(Budget.arrayBytes(lines, 4))
    new Array[Int](lines)
  }
  private var below = 0
  private var above = 0

  /** Makes room for `row`, so that adding it can not fail. O(1) amortised. */
  def ensureRoom(row: Int): Unit = nodes.ensure(row + 1)

  /** Adds a row for which room was made. Expected O(log rows). */
  def add(line: Int, row: Int): Unit = roots(line) = inserted(roots(line), row)

  /** Takes a row out. Expected O(log rows). */
  def remove(line: Int, row: Int): Unit = roots(line) = without(roots(line), row)

  /** The row with the least coordinate of at least `from`, or `NoRow`. Expected O(log rows). */
  def ceiling(line: Int, from: Long): Int = {
    var node = roots(line)
    var found = 0
    while (node != 0)
      if (order.coordinate(node - 1) >= from) {
        found = node
        node = nodes(node - 1, Left)
      } else node = nodes(node - 1, Right)
    found - 1
  }

  /** A row with the greatest coordinate of at most `to`, or `NoRow`. Expected O(log rows). */
  def floor(line: Int, to: Long): Int = {
    var node = roots(line)
    var found = 0
    while (node != 0)
      if (order.coordinate(node - 1) <= to) {
        found = node
        node = nodes(node - 1, Right)
      } else node = nodes(node - 1, Left)
    found - 1
  }

  /** The first row, by `compare`, whose coordinate lies in [`from`, `to`], or `NoRow`. Expected O(log rows). */
  def firstWithin(line: Int, from: Long, to: Long): Int = {
    var node = roots(line)
    while (node != 0 && !within(node, from, to))
      node = if (order.coordinate(node - 1) < from) nodes(node - 1, Right) else nodes(node - 1, Left)
    if (node == 0) NoRow
    else {
      val left = firstFrom(nodes(node - 1, Left), from)
      val right = firstTo(nodes(node - 1, Right), to)
      earlier(earlier(node, left), right) - 1
    }
  }

  private def within(node: Int, from: Long, to: Long): Boolean = {
    val at = order.coordinate(node - 1)
    at >= from && at <= to
  }

  private def firstFrom(root: Int, from: Long): Int = {
    var node = root
    var first = 0
    while (node != 0)
      if (order.coordinate(node - 1) >= from) {
        first = earlier(earlier(first, node), firstBelow(nodes(node - 1, Right)))
        node = nodes(node - 1, Left)
      } else node = nodes(node - 1, Right)
    first
  }

  private def firstTo(root: Int, to: Long): Int = {
    var node = root
    var first = 0
    while (node != 0)
      if (order.coordinate(node - 1) <= to) {
        first = earlier(earlier(first, node), firstBelow(nodes(node - 1, Left)))
        node = nodes(node - 1, Right)
      } else node = nodes(node - 1, Left)
    first
  }

  private def inserted(node: Int, row: Int): Int =
    if (node == 0) link(row + 1, 0, 0)
    else if (priority(row) > priority(node - 1)) {
      split(node, row)
      link(row + 1, below, above)
    } else if (isBefore(row, node - 1)) link(node, inserted(nodes(node - 1, Left), row), nodes(node - 1, Right))
    else link(node, nodes(node - 1, Left), inserted(nodes(node - 1, Right), row))

  private def without(node: Int, row: Int): Int =
    if (node == 0) throw new AssertionError(s"row $row is not on this line")
    else if (node == row + 1) merged(nodes(row, Left), nodes(row, Right))
    else if (isBefore(row, node - 1)) link(node, without(nodes(node - 1, Left), row), nodes(node - 1, Right))
    else link(node, nodes(node - 1, Left), without(nodes(node - 1, Right), row))

  /** Cuts a subtree in two, `below` and `above` the place of `row`. */
  private def split(node: Int, row: Int): Unit =
    if (node == 0) {
      below = 0
      above = 0
    } else if (isBefore(row, node - 1)) {
      split(nodes(node - 1, Left), row)
      above = link(node, above, nodes(node - 1, Right))
    } else {
      split(nodes(node - 1, Right), row)
      below = link(node, nodes(node - 1, Left), below)
    }

  private def merged(a: Int, b: Int): Int =
    if (a == 0 || b == 0) a | b
    else if (priority(a - 1) > priority(b - 1)) link(a, nodes(a - 1, Left), merged(nodes(a - 1, Right), b))
    else link(b, merged(a, nodes(b - 1, Left)), nodes(b - 1, Right))

  private def link(node: Int, left: Int, right: Int): Int = {
    nodes(node - 1, Left) = left
    nodes(node - 1, Right) = right
    nodes(node - 1, First) = earlier(earlier(node, firstBelow(left)), firstBelow(right))
    node
  }

  private def firstBelow(node: Int): Int = if (node == 0) 0 else nodes(node - 1, First)

  private def earlier(a: Int, b: Int): Int =
    if (a == 0 || b == 0) a | b else if (order.compare(b - 1, a - 1) < 0) b else a

  private def isBefore(a: Int, b: Int): Boolean = {
    val atA = order.coordinate(a)
    val atB = order.coordinate(b)
    atA < atB || atA == atB && a < b
  }

  def checkInvariants(): Unit = roots.foreach(check)

  private def check(node: Int): Unit = if (node != 0) {
    val (left, right) = (nodes(node - 1, Left), nodes(node - 1, Right))
    check(left)
    check(right)
    Seq(left, right).filter(_ != 0).foreach(c => assert(priority(c - 1) <= priority(node - 1), s"row ${c - 1}"))
    assert(left == 0 || isBefore(left - 1, node - 1), s"row ${left - 1} left of ${node - 1}")
    assert(right == 0 || isBefore(node - 1, right - 1), s"row ${right - 1} right of ${node - 1}")
    val first = earlier(earlier(node, firstBelow(left)), firstBelow(right))
    assert(order.compare(first - 1, nodes(node - 1, First) - 1) == 0, s"first below ${node - 1}")
  }
}

object OrderedRows {
  private val Left = 0
  private val Right = 1
  private val First = 2

  /** A mix of the bits of an id (the finalizer of MurmurHash3). */
  private def priority(row: Int): Int = {
    var h = row + 0x9e3779b9
    h = (h ^ (h >>> 16)) * 0x85ebca6b
    h = (h ^ (h >>> 13)) * 0xc2b2ae35
    h ^ (h >>> 16)
  }
}
