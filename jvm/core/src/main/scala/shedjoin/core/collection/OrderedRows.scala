package shedjoin.core.collection

import shedjoin.core.Budget

/** Rows on lines, that is several sets of rows, each sorted by coordinate, which give the first row of any range.
  *
  * Representation: the rows of one coordinate are a pairing heap (Fredman, Sedgewick, Sleator, Tarjan 1986), by the order's
  * `second` and `compare`; their first row, the leader, stands for them in a treap a line. Its priorities are a mix of
  * the coordinates, so that its shape depends on its content alone. A leader carries the first row of its subtree with
  * that row's `second`. So a step down the tree, or to a row of the same coordinate, reads one half of a cache line, and
  * nothing of the row itself. Links are ids + 1, 0 for none.
  *
  * A row that leads nothing has no `First`; its `Left` is the `Next` row below the same one, its `Right` what it hangs from
  * (`Before`: the previous one of these, or the row above), and its `FirstSecond` its own `second`.
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

  /** Adds a row for which room was made. Expected O(log coordinates). */
  def add(line: Int, row: Int): Unit = {
    val place = order.coordinate(row)
    val second = order.second(row)
    val mine = priority(place)
    nodes.putLong(row, Coordinate, place)
    nodes(row, Child) = 0
    var parent = 0
    var isLeft = false
    var node = roots(line)
    while (node != 0 && coordinate(node) != place && priority(coordinate(node)) >= mine) {
      putFirst(node, row + 1, second)
      parent = node
      isLeft = place < coordinate(node)
      node = nodes(node - 1, if (isLeft) Left else Right)
    }
    if (node != 0 && coordinate(node) == place) {
      val own = order.second(node - 1)
      if (isEarlier(row + 1, second, node, own)) hang(line, parent, isLeft, overtaken(node, own, row + 1))
      else {
        follow(row + 1, second)
        hangBelow(node, row + 1)
      }
    } else {
      split(node, place)
      hang(line, parent, isLeft, link(row + 1, below, above))
    }
  }

  /** A row takes the place of a leader, which then is below it. */
  private def overtaken(leader: Int, own: Long, row: Int): Int = {
    val left = nodes(leader - 1, Left)
    val right = nodes(leader - 1, Right)
    follow(leader, own)
    hangBelow(row, leader)
    link(row, left, right)
  }

  /** Takes a row out. Amortised, expected O(log rows of its coordinate), for a leader + O(log coordinates). */
  def remove(line: Int, row: Int): Unit =
    if (nodes(row, First) == 0) {
      val rest = heapBelow(row + 1)
      val next = nodes(row, Next)
      if (rest == 0) unhang(row + 1, next)
      else {
        unhang(row + 1, rest)
        nodes(rest - 1, Next) = next
        if (next != 0) nodes(next - 1, Before) = rest
      }
    } else removeLeader(line, row)

  private def removeLeader(line: Int, row: Int): Unit = {
    val place = nodes.getLong(row, Coordinate)
    var parent = 0
    var isLeft = false
    var node = roots(line)
    // Where the row is not the first of a subtree, it is not of any that holds it.
    while (node != 0 && node != row + 1 && nodes(node - 1, First) != row + 1) {
      parent = node
      isLeft = place < coordinate(node)
      node = nodes(node - 1, if (isLeft) Left else Right)
    }
    hang(line, parent, isLeft, without(node, row, heapBelow(row + 1)))
    nodes(row, First) = 0
  }

  private def hang(line: Int, parent: Int, isLeft: Boolean, node: Int): Unit =
    if (parent == 0) roots(line) = node else nodes(parent - 1, if (isLeft) Left else Right) = node

  /** A row with the least coordinate of at least `from`, or `NoRow`. Expected O(log coordinates). */
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

  /** A row with the greatest coordinate of at most `to`, or `NoRow`. Expected O(log coordinates). */
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

  /** The first row, by `second` and `compare`, whose coordinate lies in [`from`, `to`], or `NoRow`. Expected O(log
    * coordinates).
    */
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

  /** A subtree without a leader, in the place of which `heir` comes, if there is one. */
  private def without(node: Int, row: Int, heir: Int): Int =
    if (node == 0) throw new AssertionError(s"row $row is not on this line")
    else {
      val left = nodes(node - 1, Left)
      val right = nodes(node - 1, Right)
      if (node != row + 1) {
        if (nodes.getLong(row, Coordinate) < coordinate(node)) link(node, without(left, row, heir), right)
        else link(node, left, without(right, row, heir))
      } else if (heir == 0) merged(left, right)
      else link(heir, left, right)
    }

  /** Cuts a subtree in two, `below` and `above` a place where no row is. */
  private def split(node: Int, place: Long): Unit =
    if (node == 0) {
      below = 0
      above = 0
    } else if (place < coordinate(node)) {
      split(nodes(node - 1, Left), place)
      above = link(node, above, nodes(node - 1, Right))
    } else {
      split(nodes(node - 1, Right), place)
      below = link(node, nodes(node - 1, Left), below)
    }

  private def merged(a: Int, b: Int): Int =
    if (a == 0 || b == 0) a | b
    else if (priority(coordinate(a)) > priority(coordinate(b)))
      link(a, nodes(a - 1, Left), merged(nodes(a - 1, Right), b))
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

  /** A row leads nothing from now on. */
  private def follow(row: Int, own: Long): Unit = {
    nodes(row - 1, First) = 0
    nodes.putLong(row - 1, FirstSecond, own)
  }

  private def hangBelow(upper: Int, row: Int): Unit = {
    val next = nodes(upper - 1, Child)
    nodes(row - 1, Next) = next
    nodes(row - 1, Before) = upper
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

  private def joined(a: Int, b: Int): Int =
    if (isEarlier(b, nodes.getLong(b - 1, FirstSecond), a, nodes.getLong(a - 1, FirstSecond))) {
      hangBelow(b, a)
      b
    } else {
      hangBelow(a, b)
      a
    }

  def checkInvariants(): Unit = roots.foreach(check)

  private def check(node: Int): Unit = if (node != 0) {
    val (left, right) = (nodes(node - 1, Left), nodes(node - 1, Right))
    val children = Seq(left, right).filter(_ != 0)
    children.foreach(check)
    children.foreach(c => assert(priority(coordinate(c)) <= priority(coordinate(node)), s"row ${c - 1}"))
    assert(left == 0 || coordinate(left) < coordinate(node), s"row ${left - 1} left of ${node - 1}")
    assert(right == 0 || coordinate(node) < coordinate(right), s"row ${right - 1} right of ${node - 1}")
    val first = nodes(node - 1, First)
    assert(nodes.getLong(node - 1, FirstSecond) == order.second(first - 1), s"second of ${first - 1}")
    (node +: children.map(child => nodes(child - 1, First))).foreach { other =>
      assert(!isEarlier(other, order.second(other - 1), first, order.second(first - 1)), s"first below ${node - 1}")
    }
    checkHeap(node, node)
  }

  private def checkHeap(node: Int, leader: Int): Unit = {
    assert(coordinate(node) == order.coordinate(node - 1) && coordinate(node) == coordinate(leader), s"row ${node - 1}")
    var before = node
    var child = nodes(node - 1, Child)
    while (child != 0) {
      assert(
        nodes(child - 1, First) == 0 && nodes(child - 1, Before) == before,
        s"row ${child - 1} after ${before - 1}"
      )
      assert(nodes.getLong(child - 1, FirstSecond) == order.second(child - 1), s"second of ${child - 1}")
      assert(
        !isEarlier(child, order.second(child - 1), node, order.second(node - 1)),
        s"row ${child - 1} below ${node - 1}"
      )
      checkHeap(child, leader)
      before = child
      child = nodes(child - 1, Next)
    }
  }
}

object OrderedRows {
  private val Left = 0
  private val Right = 1
  private val First = 2
  private val Child = 3
  private val Coordinate = 4
  private val FirstSecond = 6
  private val Next = Left
  private val Before = Right

  /** A mix of the bits of a coordinate (of the finalizer of SplitMix64). */
  private def priority(place: Long): Int = {
    var h = (place + 0x9e3779b97f4a7c15L) * 0xbf58476d1ce4e5b9L
    h = (h ^ (h >>> 27)) * 0x94d049bb133111ebL
    (h ^ (h >>> 31)).toInt
  }
}
