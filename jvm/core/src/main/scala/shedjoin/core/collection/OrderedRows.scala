package shedjoin.core.collection

import shedjoin.core.Budget

/** Rows on lines, that is several sets of rows, each sorted by coordinate, which give the first row of any range.
  *
  * Representation: a treap a line, its priorities a mix of the row ids, so that its shape depends on its content alone. A
  * node carries its coordinate, and the first row of its subtree, by the order's `second` and `compare`, with that row's
  * `second`: so a step down the tree reads one half of a cache line, and nothing of the row itself. Links are ids + 1, 0
  * for none.
  */
final class OrderedRows(lines: Int, order: RowOrder, budget: Budget) {
  import OrderedRows._
  import RowOrder.NoRow

  private val nodes = new IntTable(8, budget)
  private val roots = {
    budget.reserve(Budget.arrayBytes(lines, 4))
    new Array[Int](lines)
  }
  private var below = 0
  private var above = 0
  private var best = 0
  private var bestSecond = 0L

  /** Makes room for `row`, so that adding it can not fail. O(1) amortised. */
  def ensureRoom(row: Int): Unit = nodes.ensure(row + 1)

  /** Adds a row for which room was made. Expected O(log rows). */
  def add(line: Int, row: Int): Unit = {
    nodes.putLong(row, Coordinate, order.coordinate(row))
    val mine = priority(row)
    val second = order.second(row)
    var parent = 0
    var isLeft = false
    var node = roots(line)
    while (node != 0 && priority(node - 1) >= mine) {
      putFirst(node, row + 1, second)
      parent = node
      isLeft = isBefore(row, node - 1)
      node = nodes(node - 1, if (isLeft) Left else Right)
    }
    split(node, row)
    hang(line, parent, isLeft, link(row + 1, below, above))
  }

  /** Takes a row out. Expected O(log rows). */
  def remove(line: Int, row: Int): Unit = {
    var parent = 0
    var isLeft = false
    var node = roots(line)
    // Where the row is not the first of a subtree, it is not of any that holds it.
    while (node != 0 && node != row + 1 && nodes(node - 1, First) != row + 1) {
      parent = node
      isLeft = isBefore(row, node - 1)
      node = nodes(node - 1, if (isLeft) Left else Right)
    }
    hang(line, parent, isLeft, without(node, row))
  }

  private def hang(line: Int, parent: Int, isLeft: Boolean, node: Int): Unit =
    if (parent == 0) roots(line) = node else nodes(parent - 1, if (isLeft) Left else Right) = node

  /** The row with the least coordinate of at least `from`, or `NoRow`. Expected O(log rows). */
  def ceiling(line: Int, from: Long): Int = {
    var node = roots(line)
    var found = 0
    while (node != 0)
      if (coordinate(node) >= from) {
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
      if (coordinate(node) <= to) {
        found = node
        node = nodes(node - 1, Right)
      } else node = nodes(node - 1, Left)
    found - 1
  }

  /** The first row, by `second` and `compare`, whose coordinate lies in [`from`, `to`], or `NoRow`. Expected O(log rows). */
  def firstWithin(line: Int, from: Long, to: Long): Int = {
    var node = roots(line)
    while (node != 0 && !within(node, from, to))
      node = if (coordinate(node) < from) nodes(node - 1, Right) else nodes(node - 1, Left)
    if (node == 0) NoRow
    else {
      best = node
      bestSecond = order.second(node - 1)
      considerFrom(nodes(node - 1, Left), from)
      considerTo(nodes(node - 1, Right), to)
      best - 1
    }
  }

  private def within(node: Int, from: Long, to: Long): Boolean = {
    val at = coordinate(node)
    at >= from && at <= to
  }

  private def considerFrom(root: Int, from: Long): Unit = {
    var node = root
    while (node != 0)
      if (coordinate(node) >= from) {
        consider(node, order.second(node - 1))
        considerBelow(nodes(node - 1, Right))
        node = nodes(node - 1, Left)
      } else node = nodes(node - 1, Right)
  }

  private def considerTo(root: Int, to: Long): Unit = {
    var node = root
    while (node != 0)
      if (coordinate(node) <= to) {
        consider(node, order.second(node - 1))
        considerBelow(nodes(node - 1, Left))
        node = nodes(node - 1, Right)
      } else node = nodes(node - 1, Left)
  }

  private def considerBelow(node: Int): Unit =
    if (node != 0) consider(nodes(node - 1, First), nodes.getLong(node - 1, FirstSecond))

  private def consider(row: Int, second: Long): Unit =
    if (isEarlier(row, second, best, bestSecond)) {
      best = row
      bestSecond = second
    }

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
    best = node
    bestSecond = order.second(node - 1)
    considerBelow(left)
    considerBelow(right)
    nodes(node - 1, First) = best
    nodes.putLong(node - 1, FirstSecond, bestSecond)
    node
  }

  /** A row has come below a node. */
  private def putFirst(node: Int, row: Int, second: Long): Unit =
    if (isEarlier(row, second, nodes(node - 1, First), nodes.getLong(node - 1, FirstSecond))) {
      nodes(node - 1, First) = row
      nodes.putLong(node - 1, FirstSecond, second)
    }

  private def isEarlier(a: Int, secondA: Long, b: Int, secondB: Long): Boolean =
    secondA < secondB || secondA == secondB && order.compare(a - 1, b - 1) < 0

  private def coordinate(node: Int): Long = nodes.getLong(node - 1, Coordinate)

  private def isBefore(a: Int, b: Int): Boolean = {
    val atA = nodes.getLong(a, Coordinate)
    val atB = nodes.getLong(b, Coordinate)
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
    assert(coordinate(node) == order.coordinate(node - 1), s"row ${node - 1} has moved")
    val firsts = node +: Seq(left, right).filter(_ != 0).map(child => nodes(child - 1, First))
    val first = nodes(node - 1, First)
    assert(nodes.getLong(node - 1, FirstSecond) == order.second(first - 1), s"second of ${first - 1}")
    firsts.foreach { other =>
      assert(!isEarlier(other, order.second(other - 1), first, order.second(first - 1)), s"first below ${node - 1}")
    }
  }
}

object OrderedRows {
  private val Left = 0
  private val Right = 1
  private val First = 2
  private val Coordinate = 4
  private val FirstSecond = 6

  /** A mix of the bits of an id (the finalizer of MurmurHash3). */
  private def priority(row: Int): Int = {
    var h = row + 0x9e3779b9
    h = (h ^ (h >>> 16)) * 0x85ebca6b
    h = (h ^ (h >>> 13)) * 0xc2b2ae35
    h ^ (h >>> 16)
  }
}
