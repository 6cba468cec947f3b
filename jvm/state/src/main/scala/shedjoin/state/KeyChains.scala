package shedjoin.state

import shedjoin.core.collection.IntTable
import shedjoin.core.{Budget, NoRow}

/** The rows of each key and side in the order of their event times; that of rows of the same time means nothing.
  *
  * Representation: a doubly linked list through the row table. One row in sixteen, chosen by its id, carries a tower of
  * express lanes (a skip list, Pugh 1990): level n links one in sixteen of level n - 1. The `Prev` cell of such a row
  * holds its lowest lane node instead, which holds the true predecessor. Searches start at the youngest row and climb as
  * they go back (a finger search), so a chain needs no header and a key with few rows pays nothing.
  */
final class KeyChains(rows: RowTable, keys: KeyTable, budget: Budget) {
  import KeyChains._

  private val cells = rows.cells
  private val lanes = new IntTable(LaneStride, budget, LaneChunkShift)
  private var laneLimit = 0
  private var freeLane = NoLane
  private var freeLanes = 0
  private var hops = 0L

  /** How many links were followed by `lastUpTo` so far. */
  def steps: Long = hops

  def next(row: Int): Int = cells(row, RowTable.Next)

  def prev(row: Int): Int = {
    val p = cells(row, RowTable.Prev)
    if (p >= NoRow) p else lanes(laneOf(p), RowPrev)
  }

  /** The youngest row of the chain whose time is at most `time`, or `NoRow`. O(log rows younger than that), expected. */
  def lastUpTo(key: Int, side: Int, time: Long): Int = {
    var row = keys.tail(key, side)
    while (row != NoRow && rows.time(row) > time) {
      hops += 1
      val p = cells(row, RowTable.Prev)
      row = if (p >= NoRow) p else lanes(lowestLaneAfter(laneOf(p), time), RowPrev)
    }
    row
  }

  /** Puts a row in its place, the last of its time; `ensureRoom` was called, or the row stood here before. O(log rows
    * younger), expected.
    */
  def link(row: Int): Unit = {
    val key = rows.key(row)
    val side = rows.side(row)
    linkAfter(row, key, side, lastUpTo(key, side, rows.time(row)))
  }

  /** The same for a row that is likely to be the oldest: O(1) then. */
  def linkOlder(row: Int): Unit = {
    val key = rows.key(row)
    val side = rows.side(row)
    val head = keys.head(key, side)
    val isOldest = head != NoRow && rows.time(row) < rows.time(head)
    linkAfter(row, key, side, if (isOldest) NoRow else lastUpTo(key, side, rows.time(row)))
  }

  private def linkAfter(row: Int, key: Int, side: Int, before: Int): Unit = {
    val height = towerHeight(row)
    val after = if (before == NoRow) keys.head(key, side) else next(before)
    cells(row, RowTable.Prev) = before
    cells(row, RowTable.Next) = after
    if (before == NoRow) keys.setHead(key, side, row) else cells(before, RowTable.Next) = row
    if (after == NoRow) keys.setTail(key, side, row) else setPrev(after, row)
    if (height > 0) raiseTower(row, height)
  }

  /** Takes a row out of its chain. O(1) expected. */
  def unlink(row: Int): Unit = {
    razeTower(row)
    val key = rows.key(row)
    val side = rows.side(row)
    val before = cells(row, RowTable.Prev)
    val after = next(row)
    if (before == NoRow) keys.setHead(key, side, after) else cells(before, RowTable.Next) = after
    if (after == NoRow) keys.setTail(key, side, before) else setPrev(after, before)
  }

  private def setPrev(row: Int, before: Int): Unit = {
    val p = cells(row, RowTable.Prev)
    if (p >= NoRow) cells(row, RowTable.Prev) = before else lanes(laneOf(p), RowPrev) = before
  }

  /** From a lowest lane node that is too young, the lowest node of the oldest row that still is. */
  private def lowestLaneAfter(start: Int, time: Long): Int = {
    var lane = start
    var climbing = true
    while (climbing) {
      while (lanes(lane, Up) != NoLane) lane = lanes(lane, Up)
      val p = lanes(lane, Prev)
      climbing = p != NoLane && rows.time(lanes(p, Row)) > time
      if (climbing) {
        lane = p
        hops += 1
      }
    }
    while (lanes(lane, Down) != NoLane) {
      lane = lanes(lane, Down)
      var p = lanes(lane, Prev)
      while (p != NoLane && rows.time(lanes(p, Row)) > time) {
        lane = p
        p = lanes(lane, Prev)
        hops += 1
      }
    }
    lane
  }

  private def raiseTower(row: Int, height: Int): Unit = {
    var below = NoLane
    var level = 0
    while (level < height) {
      val lane = takeLane()
      val before = if (level == 0) laneBefore(row) else laneBeforeAt(below)
      val after = if (before == NoLane) laneAfter(row, below, level) else lanes(before, Next)
      lanes(lane, Row) = row
      lanes(lane, Up) = NoLane
      lanes(lane, Down) = below
      lanes(lane, Prev) = before
      lanes(lane, Next) = after
      if (before != NoLane) lanes(before, Next) = lane
      if (after != NoLane) lanes(after, Prev) = lane
      if (level == 0) {
        lanes(lane, RowPrev) = cells(row, RowTable.Prev)
        cells(row, RowTable.Prev) = tagged(lane)
      } else lanes(below, Up) = lane
      below = lane
      level += 1
    }
  }

  /** The lowest node of the nearest older row that has one. O(16) expected. */
  private def laneBefore(row: Int): Int = {
    var at = cells(row, RowTable.Prev)
    while (at != NoRow) {
      val p = cells(at, RowTable.Prev)
      if (p < NoRow) return laneOf(p)
      at = p
    }
    NoLane
  }

  /** The node one level up of the nearest older node of `below`'s lane that has one. O(16) expected. */
  private def laneBeforeAt(below: Int): Int = {
    var at = lanes(below, Prev)
    while (at != NoLane && lanes(at, Up) == NoLane) at = lanes(at, Prev)
    if (at == NoLane) NoLane else lanes(at, Up)
  }

  /** Where no older node stands at this level: the nearest younger one. O(16) expected. */
  private def laneAfter(row: Int, below: Int, level: Int): Int =
    if (level == 0) {
      var at = next(row)
      while (at != NoRow && cells(at, RowTable.Prev) >= NoRow) at = next(at)
      if (at == NoRow) NoLane else laneOf(cells(at, RowTable.Prev))
    } else {
      var at = lanes(below, Next)
      while (at != NoLane && lanes(at, Up) == NoLane) at = lanes(at, Next)
      if (at == NoLane) NoLane else lanes(at, Up)
    }

  private def razeTower(row: Int): Unit = {
    val p = cells(row, RowTable.Prev)
    if (p < NoRow) {
      var lane = laneOf(p)
      cells(row, RowTable.Prev) = lanes(lane, RowPrev)
      while (lane != NoLane) {
        val before = lanes(lane, Prev)
        val after = lanes(lane, Next)
        if (before != NoLane) lanes(before, Next) = after
        if (after != NoLane) lanes(after, Prev) = before
        val up = lanes(lane, Up)
        lanes(lane, Next) = freeLane
        freeLane = lane
        freeLanes += 1
        lane = up
      }
    }
  }

  /** Makes room for the tallest tower, so that `link` can not fail. */
  def ensureRoom(): Unit = if (freeLanes < MaxHeight) lanes.ensure(laneLimit + MaxHeight - freeLanes)

  private def takeLane(): Int =
    if (freeLane != NoLane) {
      val lane = freeLane
      freeLane = lanes(lane, Next)
      freeLanes -= 1
      lane
    } else {
      laneLimit += 1
      laneLimit - 1
    }

  /** Compares the chains of `key` with `expected`, its rows in any order, and every lane with the rows below it. */
  def checkInvariants(key: Int, side: Int, expected: Seq[Int]): Unit = {
    val chain = Iterator.iterate(keys.head(key, side))(next).takeWhile(_ != NoRow).toVector
    val back = Iterator.iterate(keys.tail(key, side))(prev).takeWhile(_ != NoRow).toVector
    assert(chain == back.reverse, s"key $key side $side: $chain forth, $back back")
    assert(chain.sorted == expected.sorted, s"key $key side $side holds $chain, not $expected")
    assert(chain.map(rows.time) == chain.map(rows.time).sorted, s"key $key side $side is out of order")
    var level = chain.filter(towerHeight(_) > 0).map(r => laneOf(cells(r, RowTable.Prev)))
    while (level.nonEmpty) {
      level.zip(level.drop(1)).foreach { case (a, b) => assert(lanes(a, Next) == b && lanes(b, Prev) == a, s"$a, $b") }
      assert(lanes(level.head, Prev) == NoLane && lanes(level.last, Next) == NoLane, s"key $key: loose ends")
      level = level.map(lanes(_, Up)).filter(_ != NoLane)
    }
  }
}

object KeyChains {
  private val LaneStride = 8
  private val LaneChunkShift = 10
  private val Row = 0
  private val Up = 1
  private val Down = 2
  private val Prev = 3
  private val Next = 4
  private val RowPrev = 5

  private val NoLane = -1
  private val MaxHeight = 8

  private def tagged(lane: Int): Int = -2 - lane
  private def laneOf(tagged: Int): Int = -2 - tagged

  /** How many lanes a row's tower has: none for 15 rows of 16, and so on. */
  private[state] def towerHeight(row: Int): Int = {
    val mixed = row * 0x9e3779b9
    val hash = (mixed ^ (mixed >>> 15)) * 0x85ebca6b
    Integer.numberOfLeadingZeros(hash ^ (hash >>> 13)) >>> 2
  }
}
