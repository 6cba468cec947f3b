package shedjoin.core.collection

import shedjoin.core.Budget

/** The coordinates of rows on lines, sorted, each with its first row, and of every part of them the first row of all.
  *
  * Representation: a B-tree a line. A node has up to `Fan` entries sorted by key; of a leaf they are coordinates, above it
  * nodes, by the least coordinate in them. Beside a key stand the first row there, its weight and its second number: so a
  * step down reads one node, and nothing of the rows. A leaf also has each coordinate's tail, a row that its owner chose. A
  * node that a coordinate comes to behind all others is left full, so that what comes in order lies dense; one with few
  * entries is merged with the next one. Nodes are ids + 1, 0 for none.
  */
final private[core] class CoordinateTree(lines: Int, heaps: RowHeaps, order: RowOrder, budget: Budget) {
  import CoordinateTree._

  private val nodes = new IntTable(NodeInts, budget)
  private val heads = new IntTable(4, budget, HeadShift)
  private val roots = {
    budget.reserve(Budget.arrayBytes(lines, 4))
    new Array[Int](lines)
  }
  private var used = 0
  private var free = 0
  private var freeCount = 0

  def root(line: Int): Int = roots(line)
  def count(node: Int): Int = heads(node - 1, Count)
  def level(node: Int): Int = heads(node - 1, Level)
  def isLeaf(node: Int): Boolean = level(node) == 0
  def key(node: Int, at: Int): Long = nodes.getLong(node - 1, 2 * at)
  def weight(node: Int, at: Int): Double = java.lang.Double.longBitsToDouble(weightBits(node, at))
  def weightBits(node: Int, at: Int): Long = nodes.getLong(node - 1, Weights + 2 * at)
  def second(node: Int, at: Int): Long = nodes.getLong(node - 1, Seconds + 2 * at)
  def first(node: Int, at: Int): Int = nodes(node - 1, Firsts + at)
  def child(node: Int, at: Int): Int = nodes(node - 1, Children + at)

  /** The tail of an entry of a leaf, or `NoRow`. */
  def tail(leaf: Int, at: Int): Int = nodes(leaf - 1, Tails + at) - 1
  def setTail(leaf: Int, at: Int, row: Int): Unit = nodes(leaf - 1, Tails + at) = row + 1

  /** Makes room for one more coordinate, so that adding it can not fail. O(1) amortised. */
  def ensureRoom(): Unit = {
    val needed = used + math.max(0, MostLevels - freeCount)
    nodes.ensure(needed)
    heads.ensure(needed)
  }

  /** The entry that `place` belongs to: the last one whose key is not above it, or else the first one. O(1). */
  def entryFor(node: Int, place: Long): Int = {
    val cells = nodes.chunk(node - 1)
    val base = nodes.base(node - 1)
    var at = count(node) - 1
    while (at > 0 && longAt(cells, base + 2 * at) > place) at -= 1
    at
  }

  /** The leaf that `place` belongs to, 0 on an empty line. O(log coordinates). */
  def leafFor(line: Int, place: Long): Int = {
    var node = roots(line)
    while (node != 0 && !isLeaf(node)) node = child(node, entryFor(node, place))
    node
  }

  /** The entry of a leaf for just this coordinate, or -1. O(1). */
  def entryOf(leaf: Int, place: Long): Int =
    if (leaf == 0) -1
    else {
      val at = entryFor(leaf, place)
      if (key(leaf, at) == place) at else -1
    }

  /** The entry of a leaf at which a row leads. O(1). */
  def placeOf(leaf: Int, row: Int): Int = indexOf(leaf, Firsts, row)

  /** The row that leads at the least coordinate of an entry. O(log coordinates). */
  def leftmost(node: Int, at: Int): Int = {
    var in = node
    var entry = at
    while (!isLeaf(in)) {
      in = child(in, entry)
      entry = 0
    }
    first(in, entry)
  }

  /** The greatest coordinate of a line that is not empty. O(log coordinates). */
  def greatest(line: Int): Long = {
    var node = roots(line)
    while (!isLeaf(node)) node = child(node, count(node) - 1)
    key(node, count(node) - 1)
  }

  /** Another row leads at a coordinate. O(1), and O(log coordinates) where it is or was the first of more. */
  def lead(leaf: Int, at: Int, row: Int): Unit = {
    heaps.nodes(row, RangeFirsts.Leaf) = leaf
    describe(leaf, at, row)
    settle(leaf)
  }

  /** Adds a coordinate with its only row to the leaf that it belongs to. O(log coordinates). */
  def add(line: Int, leaf: Int, place: Long, row: Int): Unit =
    if (leaf == 0) {
      roots(line) = take(0)
      put(roots(line), 0, place, row, row + 1)
    } else insert(line, leaf, if (key(leaf, 0) > place) 0 else entryFor(leaf, place) + 1, place, row, row + 1)

  /** Puts an entry into a node, which is cut in two where it is full. */
  private def insert(line: Int, node: Int, at: Int, place: Long, row: Int, below: Int): Unit =
    if (count(node) < Fan) {
      put(node, at, place, row, below)
      settle(node)
    } else {
      val cut = if (at == Fan) Fan else Fan / 2
      val right = take(level(node))
      move(node, cut, right)
      if (at > cut || at == Fan) put(right, at - cut, place, row, below) else put(node, at, place, row, below)
      if (parent(node) == 0) raise(line)
      settle(node)
      val above = parent(node)
      insert(line, above, indexOf(above, Children, node) + 1, key(right, 0), first(right, firstOf(right)), right)
    }

  /** Puts a root above the root of a line. */
  private def raise(line: Int): Unit = {
    val low = roots(line)
    roots(line) = take(level(low) + 1)
    put(roots(line), 0, key(low, 0), first(low, firstOf(low)), low)
  }

  /** Takes a coordinate, or a node, out of a node. O(log coordinates). */
  def remove(line: Int, node: Int, at: Int): Unit = {
    shift(node, at + 1, at)
    heads(node - 1, Count) = count(node) - 1
    if (count(node) == 0) {
      val above = parent(node)
      if (above == 0) roots(line) = 0 else remove(line, above, indexOf(above, Children, node))
      give(node)
    } else {
      settle(node)
      if (parent(node) == 0) lower(line) else if (count(node) < Many) merge(line, node)
    }
  }

  /** Takes roots away that have one node below them. */
  private def lower(line: Int): Unit =
    while (!isLeaf(roots(line)) && count(roots(line)) == 1) {
      val top = roots(line)
      roots(line) = child(top, 0)
      heads(roots(line) - 1, Parent) = 0
      give(top)
    }

  /** Joins a node with one beside it, if they have few entries together. */
  private def merge(line: Int, node: Int): Unit = {
    val above = parent(node)
    val at = indexOf(above, Children, node)
    if (at + 1 < count(above) && count(node) + count(child(above, at + 1)) <= Many) join(line, above, at)
    else if (at > 0 && count(node) + count(child(above, at - 1)) <= Many) join(line, above, at - 1)
  }

  /** Makes one node of two, those at an entry and at the next one. */
  private def join(line: Int, above: Int, at: Int): Unit = {
    val left = child(above, at)
    val right = child(above, at + 1)
    move(right, 0, left)
    settle(left)
    give(right)
    remove(line, above, at + 1)
  }

  private def put(node: Int, at: Int, place: Long, row: Int, below: Int): Unit = {
    shift(node, at, at + 1)
    heads(node - 1, Count) = count(node) + 1
    nodes.putLong(node - 1, 2 * at, place)
    nodes(node - 1, Children + at) = below
    describe(node, at, row)
    own(node, at)
  }

  /** Tells what an entry is for in which node it is now. */
  private def own(node: Int, at: Int): Unit =
    if (isLeaf(node)) heaps.nodes(first(node, at), RangeFirsts.Leaf) = node
    else heads(child(node, at) - 1, Parent) = node

  /** Says of an entry which row is first there. */
  private def describe(node: Int, at: Int, row: Int): Unit = {
    nodes.putLong(node - 1, Weights + 2 * at, heaps.nodes.getLong(row, RangeFirsts.Weight))
    nodes.putLong(node - 1, Seconds + 2 * at, heaps.nodes.getLong(row, RangeFirsts.Second))
    nodes(node - 1, Firsts + at) = row
  }

  /** Moves the entries of a node from `cut` on behind those of another one. */
  private def move(node: Int, cut: Int, to: Int): Unit = {
    val moved = count(node) - cut
    val end = count(to)
    copy(node, cut, to, end, moved)
    heads(node - 1, Count) = cut
    heads(to - 1, Count) = end + moved
    var at = end
    while (at < end + moved) {
      own(to, at)
      at += 1
    }
  }

  private def shift(node: Int, at: Int, to: Int): Unit = copy(node, at, node, to, count(node) - at)

  private def copy(node: Int, at: Int, to: Int, end: Int, entries: Int): Unit = if (entries > 0) {
    val source = nodes.chunk(node - 1)
    val target = nodes.chunk(to - 1)
    val from = nodes.base(node - 1)
    val into = nodes.base(to - 1)
    System.arraycopy(source, from + 2 * at, target, into + 2 * end, 2 * entries)
    System.arraycopy(source, from + Weights + 2 * at, target, into + Weights + 2 * end, 2 * entries)
    System.arraycopy(source, from + Seconds + 2 * at, target, into + Seconds + 2 * end, 2 * entries)
    System.arraycopy(source, from + Firsts + at, target, into + Firsts + end, entries)
    System.arraycopy(source, from + Children + at, target, into + Children + end, entries)
  }

  /** Has the nodes above a node know its least key and its first row. */
  private def settle(node: Int): Unit = {
    var below = node
    var isNews = true
    while (isNews && parent(below) != 0) {
      val above = parent(below)
      val at = indexOf(above, Children, below)
      val best = firstOf(below)
      isNews = key(above, at) != key(below, 0) || first(above, at) != first(below, best) ||
        weightBits(above, at) != weightBits(below, best) || second(above, at) != second(below, best)
      nodes.putLong(above - 1, 2 * at, key(below, 0))
      nodes.putLong(above - 1, Weights + 2 * at, weightBits(below, best))
      nodes.putLong(above - 1, Seconds + 2 * at, second(below, best))
      nodes(above - 1, Firsts + at) = first(below, best)
      below = above
    }
  }

  /** The entry of a node at which the first of all its rows is. */
  private def firstOf(node: Int): Int = {
    val cells = nodes.chunk(node - 1)
    val base = nodes.base(node - 1)
    val end = count(node)
    var best = 0
    var leastWeight = longAt(cells, base + Weights)
    var leastSecond = longAt(cells, base + Seconds)
    var at = 1
    while (at < end) {
      val weight = longAt(cells, base + Weights + 2 * at)
      if (weight <= leastWeight) {
        val second = longAt(cells, base + Seconds + 2 * at)
        val isFirst = weight < leastWeight || second < leastSecond || second == leastSecond &&
          order.compare(cells(base + Firsts + at), cells(base + Firsts + best)) < 0
        if (isFirst) {
          best = at
          leastWeight = weight
          leastSecond = second
        }
      }
      at += 1
    }
    best
  }

  private def indexOf(node: Int, field: Int, what: Int): Int = {
    val cells = nodes.chunk(node - 1)
    val base = nodes.base(node - 1) + field
    val end = count(node)
    var at = 0
    while (at < end && cells(base + at) != what) at += 1
    if (at == end) throw new AssertionError(s"$what is not in node $node")
    at
  }

  private def parent(node: Int): Int = heads(node - 1, Parent)

  private def take(level: Int): Int = {
    val node = if (free != 0) free else used + 1
    if (free == 0) used += 1
    else {
      free = heads(node - 1, Parent)
      freeCount -= 1
    }
    heads(node - 1, Count) = 0
    heads(node - 1, Parent) = 0
    heads(node - 1, Level) = level
    node
  }

  private def give(node: Int): Unit = {
    heads(node - 1, Parent) = free
    free = node
    freeCount += 1
  }

  /** Checks a line, and has the entries of its leaves checked. */
  def checkInvariants(line: Int)(check: (Int, Int) => Unit): Unit = if (roots(line) != 0) {
    assert(parent(roots(line)) == 0, s"the root ${roots(line)} hangs from ${parent(roots(line))}")
    checkNode(roots(line), Long.MinValue, Long.MaxValue, check)
  }

  private def checkNode(node: Int, low: Long, high: Long, check: (Int, Int) => Unit): Unit = {
    val keys = (0 until count(node)).map(key(node, _))
    assert(keys.nonEmpty && keys.zip(keys.drop(1)).forall { case (a, b) => a < b }, s"keys $keys of node $node")
    assert(keys.head >= low && keys.last <= high, s"keys $keys of node $node from $low to $high")
    keys.indices.foreach { at =>
      if (isLeaf(node)) check(node, at)
      else {
        val below = child(node, at)
        assert(parent(below) == node && level(below) == level(node) - 1, s"node $below below $node")
        assert(key(below, 0) == keys(at), s"node $below begins at ${key(below, 0)}, not ${keys(at)}")
        assert(first(below, firstOf(below)) == first(node, at), s"the first row of node $below")
        checkNode(below, keys(at), if (at + 1 < keys.size) keys(at + 1) - 1 else high, check)
      }
    }
  }
}

private[core] object CoordinateTree {

  /** The most entries of a node. */
  val Fan = 16

  /** Two nodes side by side that have so many entries together, or fewer, are merged as one loses an entry. */
  private val Many = 15

  /** Of two nodes side by side one has more than 7 entries, so 2^31 coordinates make fewer levels than this. */
  val MostLevels = 16

  /** The fields of a node: `Fan` keys, and as many of these; where others have children, leaves have tails. */
  private val Weights = 2 * Fan
  private val Seconds = 4 * Fan
  private val Firsts = 6 * Fan
  private val Children = 7 * Fan
  private val Tails = Children
  private val NodeInts = 8 * Fan

  private val Count = 0
  private val Parent = 1
  private val Level = 2
  private val HeadShift = 8

  private def longAt(cells: Array[Int], at: Int): Long = (cells(at).toLong << 32) | (cells(at + 1) & 0xffffffffL)
}
