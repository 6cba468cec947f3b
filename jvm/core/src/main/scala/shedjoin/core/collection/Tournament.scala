package shedjoin.core.collection

import shedjoin.core.Budget

/** The first of a set of rows in an order that may change with time.
  *
  * Representation: a kinetic tournament (Basch, Guibas, Hershberger 1997). A row has the lowest place that is free, so few
  * rows lie dense, whatever their ids are. Node i of level k is the winner among the rows at the places from `i << k` to
  * below `(i + 1) << k`, as id + 1, or 0; beside it stands the tick up to which all matches below it are known to hold.
  * Levels grow by chunks, so a new level copies nothing.
  */
final class Tournament(order: RowOrder, budget: Budget) {
  import RowOrder.Forever
  import Tournament._

  private val winners = Array.fill(Levels)(new IntTable(1, budget, ChunkShift))
  private val deadlines = Array.fill(Levels)(new IntTable(2, budget, ChunkShift))
  private val places = new IntTable(1, budget, ChunkShift)
  private val pool = new IdPool(budget)
  private var height = 0
  private var room = 0

  /** The first row, or `NoRow`. O(1). */
  def first: Int = winner(height, 0) - 1

  /** Makes room for `row`, so that adding it can not fail. O(log rows), amortised. */
  def ensureRoom(row: Int): Unit = if (row >= room) {
    places.ensure(row + 1)
    val last = places.capacity - 1
    pool.ensureRoom(last)
    var level = 0
    while (level <= heightFor(last)) {
      winners(level).ensure((last >>> level) + 1)
      if (level > 0) deadlines(level).ensure((last >>> level) + 1)
      level += 1
    }
    room = last + 1
  }

  /** Adds a row for which room was made. O(log rows). */
  def add(row: Int): Unit = {
    val place = pool.take()
    places(row, 0) = place
    raise(heightFor(place))
    winners(0)(place, 0) = row + 1
    climb(place, row)
  }

  /** Takes a row out. O(log rows). */
  def remove(row: Int): Unit = {
    val place = places(row, 0)
    pool.free(place)
    winners(0)(place, 0) = 0
    climb(place, row)
  }

  /** Time has come to `tick`. O(1), and O(log rows) for each match that may have turned. */
  def advance(tick: Long): Unit = if (height > 0 && deadline(height, 0) <= tick) replay(height, 0, tick)

  private def raise(needed: Int): Unit =
    while (height < needed) {
      height += 1
      settle(height, 0)
    }

  private def climb(place: Int, row: Int): Unit = {
    var level = 1
    var same = false
    while (level <= height && !same) {
      val node = place >>> level
      val before = winner(level, node)
      val beforeDeadline = deadline(level, node)
      settle(level, node)
      same = winner(level, node) == before && before != row + 1 && deadline(level, node) == beforeDeadline
      level += 1
    }
  }

  private def replay(level: Int, node: Int, tick: Long): Unit = {
    if (level > 1) {
      if (deadline(level - 1, 2 * node) <= tick) replay(level - 1, 2 * node, tick)
      if (deadline(level - 1, 2 * node + 1) <= tick) replay(level - 1, 2 * node + 1, tick)
    }
    settle(level, node)
  }

  /** Plays the match of a node anew. */
  private def settle(level: Int, node: Int): Unit = {
    val a = winner(level - 1, 2 * node)
    val b = winner(level - 1, 2 * node + 1)
    var until = math.min(deadline(level - 1, 2 * node), deadline(level - 1, 2 * node + 1))
    var won = a | b
    if (a != 0 && b != 0) {
      val isB = order.isEarlier(b - 1, a - 1)
      won = if (isB) b else a
      until = math.min(until, order.holdsUntil(won - 1, (if (isB) a else b) - 1))
    }
    winners(level)(node, 0) = won
    deadlines(level).putLong(node, 0, until)
  }

  private def winner(level: Int, node: Int): Int =
    if (node < winners(level).capacity) winners(level)(node, 0) else 0

  private def deadline(level: Int, node: Int): Long =
    if (level > 0 && node < deadlines(level).capacity && winners(level)(node, 0) != 0) deadlines(level).getLong(node, 0)
    else Forever

  private def heightFor(place: Int): Int = 32 - Integer.numberOfLeadingZeros(place)

  def checkInvariants(): Unit = {
    pool.checkInvariants()
    (0 until winners(0).capacity).foreach { place =>
      val row = winner(0, place) - 1
      assert(pool.isTaken(place) == (row >= 0) && (row < 0 || places(row, 0) == place), s"row $row at place $place")
    }
    for (level <- 1 to height; node <- 0 until winners(level).capacity) {
      val (a, b, won) = (winner(level - 1, 2 * node), winner(level - 1, 2 * node + 1), winner(level, node))
      assert(won == 0 && a == 0 && b == 0 || won != 0 && (won == a || won == b), s"$won won of $a and $b")
      val lost = if (won == a) b else a
      assert(lost == 0 || !order.isEarlier(lost - 1, won - 1), s"row ${won - 1} beats ${lost - 1} and comes later")
    }
  }
}

object Tournament {
  private val Levels = 32
  private val ChunkShift = 8
}
