package shedjoin.core.collection

import shedjoin.core.{Budget, NoRow}

/** Rows on lines, that is several sets of rows, each sorted by coordinate, which give the first row of any range.
  *
  * Representation: the rows of one coordinate are a heap of [[RowHeaps]], by the order's weight, `second` and `compare`,
  * the former two kept beside; their leader, which alone knows a leaf, stands for them in a [[CoordinateTree]]. A row that
  * comes after the tail of its coordinate hangs from that and is the tail then, so that rows in order are a list. Any row
  * would do as a tail, and there may be none.
  *
  * @param fields how many ints of a row are the owner's, beside what is kept here, so that one look finds both
  */
final class RangeFirsts(lines: Int, order: RowOrder, budget: Budget, fields: Int = 0) extends RowOrder {
  import RangeFirsts._

  private val heaps = new RowHeaps(this, strideFor(fields), budget)
  private[core] val tree = new CoordinateTree(lines, heaps, order, budget)

  /** Of each line the row that was added last, if it is there, and where it lies. */
  private val latest = Array.fill(lines)(NoRow)
  private val latestPlace = new Array[Long](lines)
  budget.reserve(Budget.arrayBytes(lines, 4) + Budget.arrayBytes(lines, 8))
  private var best = NoRow
  private var bestWeight, bestSecond = 0L

  /** The rows that there is room for; fields from `Own` on are the owner's. */
  private[core] def cells: IntTable = heaps.nodes

  /** Makes room for `row`, so that adding it can not fail. O(1) amortised. */
  def ensureRoom(row: Int): Unit = {
    heaps.ensureRoom(row)
    tree.ensureRoom()
  }

  /** Adds a row for which room was made. O(log coordinates), and O(1) where the row added last to the line is at the same
    * coordinate and comes before it.
    */
  def add(line: Int, row: Int): Unit = {
    heaps.clear(row)
    heaps.nodes(row, Leaf) = 0
    heaps.nodes.putLong(row, Weight, java.lang.Double.doubleToRawLongBits(order.weight(row)))
    heaps.nodes.putLong(row, Second, order.second(row))
    val place = order.coordinate(row)
    val before = latest(line)
    if (before != NoRow && latestPlace(line) == place && !isEarlier(row, before)) heaps.hang(before, row)
    else addAt(line, place, row)
    latest(line) = row
    latestPlace(line) = place
  }

  private def addAt(line: Int, place: Long, row: Int): Unit = {
    val leaf = tree.leafFor(line, place)
    val at = tree.entryOf(leaf, place)
    if (at < 0) tree.add(line, leaf, place, row)
    else {
      val tail = tree.tail(leaf, at)
      val leader = tree.first(leaf, at)
      if (tail != NoRow && !isEarlier(row, tail)) hangTail(leaf, at, tail, row)
      else if (isEarlier(row, leader)) {
        heaps.hang(row, leader)
        heaps.nodes(leader, Leaf) = if (leader == tail) IsTail else 0
        tree.lead(leaf, at, row)
      } else if (tail == NoRow) hangTail(leaf, at, leader, row)
      else heaps.hang(leader, row)
    }
  }

  /** Hangs a row that is the tail of its coordinate from now on. */
  private def hangTail(leaf: Int, at: Int, upper: Int, row: Int): Unit = {
    heaps.hang(upper, row)
    if (leafOf(upper) == IsTail) heaps.nodes(upper, Leaf) = 0
    heaps.nodes(row, Leaf) = IsTail
    tree.setTail(leaf, at, row)
  }

  /** Takes a row out, and returns the row that leads at its coordinate instead, or `NoRow` where it did not lead or was the
    * only one there. Amortised O(log rows of its coordinate), for a leader or a tail + O(log coordinates).
    * What the order says of it must still be so.
    */
  def remove(line: Int, row: Int): Int = {
    if (latest(line) == row) latest(line) = NoRow
    if (leafOf(row) > 0) removeLeader(line, row)
    else {
      if (leafOf(row) == IsTail) forgetTail(line, row)
      heaps.remove(row)
      NoRow
    }
  }

  private def forgetTail(line: Int, row: Int): Unit = {
    val place = order.coordinate(row)
    val leaf = tree.leafFor(line, place)
    tree.setTail(leaf, tree.entryOf(leaf, place), NoRow)
  }

  private def removeLeader(line: Int, row: Int): Int = {
    val leaf = leafOf(row)
    val at = tree.placeOf(leaf, row)
    if (tree.tail(leaf, at) == row) tree.setTail(leaf, at, NoRow)
    val heir = heaps.withoutTop(row)
    if (heir == NoRow) tree.remove(line, leaf, at) else tree.lead(leaf, at, heir)
    heir
  }

  /** The leaf where a row leads, or 0, or `IsTail` for a tail that does not lead. */
  private def leafOf(row: Int): Int = heaps.nodes(row, Leaf)

  /** The weight of a row that is here. O(1). */
  override def weight(row: Int): Double = java.lang.Double.longBitsToDouble(heaps.nodes.getLong(row, Weight))

  /** The second number of a row that is here. O(1). */
  override def second(row: Int): Long = heaps.nodes.getLong(row, Second)

  /** The coordinate at which a row is the first one. O(1). */
  def placeOf(first: Int): Long = {
    val leaf = leafOf(first)
    tree.key(leaf, tree.placeOf(leaf, first))
  }

  def isEmpty(line: Int): Boolean = tree.root(line) == 0

  /** The least and the greatest coordinate of a line that is not empty. O(1), O(log coordinates). */
  def least(line: Int): Long = tree.key(tree.root(line), 0)
  def greatest(line: Int): Long = tree.greatest(line)

  /** A row with the least coordinate of at least `from`, or `NoRow`. O(log coordinates). */
  def ceiling(line: Int, from: Long): Int = {
    var node = tree.root(line)
    var found = NoRow
    while (node != 0) {
      val at = tree.entryFor(node, from)
      if (tree.key(node, at) >= from) found = tree.leftmost(node, at)
      else if (at + 1 < tree.count(node)) found = tree.leftmost(node, at + 1)
      node = if (tree.key(node, at) >= from || tree.isLeaf(node)) 0 else tree.child(node, at)
    }
    found
  }

  /** The first row whose coordinate lies in [`from`, `to`], or `NoRow`. O(log coordinates). */
  def firstWithin(line: Int, from: Long, to: Long): Int = {
    best = NoRow
    if (tree.root(line) != 0) considerWithin(tree.root(line), from, to, Long.MaxValue)
    best
  }

  /** Of a node that has no coordinate above `last`. The nodes that lie in part within, at either end, come last. */
  private def considerWithin(node: Int, from: Long, to: Long, last: Long): Unit = {
    val low = tree.entryFor(node, from)
    var at = low
    var left, right = -1
    while (at < tree.count(node) && tree.key(node, at) <= to) {
      if (tree.key(node, at) >= from && lastOf(node, at, last) <= to) consider(node, at)
      else if (at == low) left = at
      else right = at
      at += 1
    }
    if (left >= 0) considerBelow(node, left, from, to, last)
    if (right >= 0) considerBelow(node, right, from, to, last)
  }

  /** The greatest coordinate that an entry may have. */
  private def lastOf(node: Int, at: Int, last: Long): Long =
    if (tree.isLeaf(node)) tree.key(node, at)
    else if (at + 1 < tree.count(node)) tree.key(node, at + 1) - 1
    else last

  /** Looks into the node of an entry, if its first row, wherever that lies, may come before the best one. */
  private def considerBelow(node: Int, at: Int, from: Long, to: Long, last: Long): Unit = {
    val weight = tree.weightBits(node, at)
    val mayLead = best == NoRow || weight < bestWeight || weight == bestWeight && tree.second(node, at) <= bestSecond
    if (mayLead && !tree.isLeaf(node)) considerWithin(tree.child(node, at), from, to, lastOf(node, at, last))
  }

  private def consider(node: Int, at: Int): Unit = {
    val weight = tree.weightBits(node, at)
    if (best == NoRow || weight <= bestWeight) {
      val second = tree.second(node, at)
      val isFirst = best == NoRow || weight < bestWeight || second < bestSecond ||
        second == bestSecond && order.compare(tree.first(node, at), best) < 0
      if (isFirst) {
        best = tree.first(node, at)
        bestWeight = weight
        bestSecond = second
      }
    }
  }

  override def coordinate(row: Int): Long = order.coordinate(row)
  def compare(a: Int, b: Int): Int = order.compare(a, b)

  /** By what is kept of both; rows that can not be told apart stay as they came. */
  override def isEarlier(a: Int, b: Int): Boolean = {
    // Bits of numbers that are not negative order as these do.
    val weightA = heaps.nodes.getLong(a, Weight)
    val weightB = heaps.nodes.getLong(b, Weight)
    if (weightA != weightB) weightA < weightB
    else {
      val secondA = heaps.nodes.getLong(a, Second)
      val secondB = heaps.nodes.getLong(b, Second)
      secondA < secondB || secondA == secondB && order.compare(a, b) < 0
    }
  }

  def checkInvariants(): Unit = (0 until lines).foreach { line =>
    tree.checkInvariants(line) { (leaf, at) =>
      val leader = tree.first(leaf, at)
      val tail = tree.tail(leaf, at)
      var isTailThere = tail == NoRow
      heaps.checkInvariants(leader) { row =>
        isTailThere ||= row == tail
        val role = if (row == leader) leaf else if (row == tail) IsTail else 0
        assert(leafOf(row) == role, s"row $row leads at ${leafOf(row)}, and not $role")
        assert(order.coordinate(row) == tree.key(leaf, at), s"row $row at ${tree.key(leaf, at)}")
        assert(weight(row) == order.weight(row) && heaps.nodes.getLong(row, Second) == order.second(row), s"row $row")
      }
      assert(isTailThere, s"row $tail is not at ${tree.key(leaf, at)}")
    }
  }
}

private[core] object RangeFirsts {
  val Leaf: Int = RowHeaps.Fields
  val Weight: Int = Leaf + 1
  val Second: Int = Weight + 2
  val Own: Int = Second + 2

  /** A power of two, as a table wants it. */
  private def strideFor(fields: Int): Int = Integer.highestOneBit(2 * (Own + fields) - 1)

  /** Instead of a leaf. */
  private val IsTail = -1
}
