package shedjoin.core.collection

import shedjoin.core.Budget

/** The first of a set of rows by rank, then by a second number, then by content.
  *
  * Representation: a tournament with `Fan` rows, or winners, a match. The two numbers and the winner of entry e of level k
  * lie in columns, so that the entries of a match, `Fan` in a row, take few cache lines; an entry without rows has the
  * winner 0, others hold their row's id + 1. Levels grow by chunks, so a new level copies nothing.
  */
final class RankTree(content: RowTies, budget: Budget) {
  import RankTree._

  private val ranks = columns(2)
  private val seconds = columns(2)
  private val winners = columns(1)
  private var height = 0

  private def columns(stride: Int) = Array.fill(Levels)(new IntTable(stride, budget, ChunkShift))

  /** The first row, or `NoRow`. O(1). */
  def first: Int = if (winners(height).capacity == 0) RowOrder.NoRow else winners(height)(0, 0) - 1

  /** Makes room for `row`, so that adding it can not fail. O(log rows), amortised. */
  def ensureRoom(row: Int): Unit = {
    val top = math.max(height, heightFor(row))
    var level = 0
    while (level <= top) {
      val entries = (row >>> (level * FanBits)) + 1
      ranks(level).ensure(entries)
      seconds(level).ensure(entries)
      winners(level).ensure(entries)
      level += 1
    }
  }

  /** Adds a row for which room was made, or gives a stored one another rank. O(log rows). */
  def put(row: Int, rank: Double, second: Long): Unit = {
    raise(heightFor(row))
    ranks(0).putLong(row, 0, java.lang.Double.doubleToRawLongBits(rank))
    seconds(0).putLong(row, 0, second)
    winners(0)(row, 0) = row + 1
    climb(row)
  }

  /** Takes a row out. O(log rows). */
  def remove(row: Int): Unit = {
    winners(0)(row, 0) = 0
    climb(row)
  }

  private def raise(needed: Int): Unit =
    while (height < needed) {
      height += 1
      settle(height, 0)
    }

  private def climb(row: Int): Unit = {
    var level = 1
    var same = false
    while (level <= height && !same) {
      val entry = row >>> (level * FanBits)
      val before = winners(level)(entry, 0)
      val after = settle(level, entry)
      same = after == before && after != row + 1
      level += 1
    }
  }

  /** Plays the match of an entry anew, and returns the winner. The entries of a match never span two chunks. */
  private def settle(level: Int, entry: Int): Int = {
    val start = entry << FanBits
    val below = winners(level - 1).chunk(start)
    val belowBase = winners(level - 1).base(start)
    val rank = ranks(level - 1).chunk(start)
    val rankBase = ranks(level - 1).base(start)
    var best = -1
    var bestRank = 0.0
    var i = 0
    while (i < Fan) {
      if (below(belowBase + i) != 0) {
        val r = double(rank, rankBase + 2 * i)
        if (best < 0 || r < bestRank || r == bestRank && isBeforeTied(level - 1, start + i, start + best)) {
          best = i
          bestRank = r
        }
      }
      i += 1
    }
    val winner = if (best < 0) 0 else below(belowBase + best)
    winners(level)(entry, 0) = winner
    if (winner != 0) {
      ranks(level).putLong(entry, 0, java.lang.Double.doubleToRawLongBits(bestRank))
      seconds(level).putLong(entry, 0, seconds(level - 1).getLong(start + best, 0))
    }
    winner
  }

  private def double(cells: Array[Int], at: Int): Double =
    java.lang.Double.longBitsToDouble((cells(at).toLong << 32) | (cells(at + 1) & 0xffffffffL))

  private def isBeforeTied(level: Int, a: Int, b: Int): Boolean = {
    val secondA = seconds(level).getLong(a, 0)
    val secondB = seconds(level).getLong(b, 0)
    if (secondA != secondB) secondA < secondB
    else content.compare(winners(level)(a, 0) - 1, winners(level)(b, 0) - 1) < 0
  }

  /** The level at which the first entry stands for all rows up to this one. */
  private def heightFor(row: Int): Int = (32 - Integer.numberOfLeadingZeros(row) + FanBits - 1) / FanBits

  def checkInvariants(): Unit =
    for (level <- 1 to height; entry <- 0 until winners(level).capacity) {
      val winner = winners(level)(entry, 0)
      val below = (entry << FanBits) until math.min((entry + 1) << FanBits, winners(level - 1).capacity)
      val stored = below.filter(winners(level - 1)(_, 0) != 0)
      assert((winner == 0) == stored.isEmpty, s"winner $winner of ${stored.size}")
      stored.find(winners(level - 1)(_, 0) == winner).foreach { won =>
        assert(ranks(level).getLong(entry, 0) == ranks(level - 1).getLong(won, 0))
        stored.foreach(other => assert(!isBefore(level - 1, other, won), s"$other of level ${level - 1} beats $won"))
      }
    }

  private def isBefore(level: Int, a: Int, b: Int): Boolean = {
    val rankA = java.lang.Double.longBitsToDouble(ranks(level).getLong(a, 0))
    val rankB = java.lang.Double.longBitsToDouble(ranks(level).getLong(b, 0))
    rankA < rankB || rankA == rankB && isBeforeTied(level, a, b)
  }
}

object RankTree {
  private val FanBits = 3
  private val Fan = 1 << FanBits
  private val Levels = 12
  private val ChunkShift = 8
}
