package shedjoin.core.collection

import shedjoin.core.{Budget, NoRow}

/** The first of a set of rows by rank, a whole number, then by a second number, then by content; it keeps the ranks.
  *
  * Representation: a tournament with `Fan` rows, or winners, a match. Level 0 holds the rows' ranks and nothing else, so a
  * new rank touches one cache line of what is as large as the state; entry e of a level above holds the winner of the
  * entries from `e * Fan` on of the level below, its rank and its second number. A rank is kept with all bits but the first
  * turned, so that 0 is `NoRank`, which comes last. Levels grow by chunks, so a new level copies nothing.
  */
final class RankTree(order: RowOrder, budget: Budget) {
  import RankTree._

  private val ranks = Array.fill(Levels)(new IntTable(2, budget, ChunkShift))
  private val seconds = Array.fill(Levels)(new IntTable(2, budget, ChunkShift))
  private val winners = Array.fill(Levels)(new IntTable(1, budget, ChunkShift))
  private var height = 0
  private var room = 0

  /** The first row, or `NoRow`. O(1). */
  def first: Int =
    if (ranks(height).capacity == 0 || ranks(height).getLong(0, 0) == Absent) NoRow else winner(height, 0)

  /** The rank of a stored row. O(1). */
  def rank(row: Int): Long = ranks(0).getLong(row, 0) ^ NoRank

  /** Makes room for `row`, so that adding it can not fail. O(log rows), amortised. */
  def ensureRoom(row: Int): Unit = if (row >= room) {
    ranks(0).ensure(row + 1)
    val last = ranks(0).capacity - 1
    var level = 1
    while (level <= math.max(1, heightFor(last))) {
      val entries = (last >>> (level * FanBits)) + 1
      ranks(level).ensure(entries)
      seconds(level).ensure(entries)
      winners(level).ensure(entries)
      level += 1
    }
    room = last + 1
  }

  /** Adds a row for which room was made, or gives a stored one another rank or second number. O(log rows), and O(1) for a
    * row that is no match for those beside it.
    */
  def put(row: Int, rank: Long): Unit = {
    raise(math.max(1, heightFor(row)))
    val kept = rank ^ NoRank
    ranks(0).putLong(row, 0, kept)
    var level = 1
    var isOther = false
    while (level <= height && !isOther) {
      val entry = row >>> (level * FanBits)
      val best = ranks(level).getLong(entry, 0) ^ NoRank
      if (best != NoRank && winner(level, entry) == row) settle(level, entry)
      else if (best < (kept ^ NoRank) || best == (kept ^ NoRank) && isBeforeTied(level, entry, row)) isOther = true
      else win(level, entry, row, kept)
      level += 1
    }
  }

  /** Whether the winner of an entry comes before a row of the same rank. */
  private def isBeforeTied(level: Int, entry: Int, row: Int): Boolean = {
    val ofWinner = second(level, entry)
    val ofRow = order.second(row)
    if (ofWinner != ofRow) ofWinner < ofRow else order.compare(winner(level, entry), row) <= 0
  }

  private def win(level: Int, entry: Int, row: Int, kept: Long): Unit = {
    ranks(level).putLong(entry, 0, kept)
    winners(level)(entry, 0) = row
    seconds(level).putLong(entry, 0, order.second(row))
  }

  /** Takes a row out. O(log rows). */
  def remove(row: Int): Unit = {
    ranks(0).putLong(row, 0, Absent)
    climb(row)
  }

  private def raise(needed: Int): Unit =
    while (height < needed) {
      height += 1
      settle(height, 0)
    }

  /** Up to where another row had won, and still wins. */
  private def climb(row: Int): Unit = {
    var level = 1
    var isOther = false
    while (level <= height && !isOther) {
      val entry = row >>> (level * FanBits)
      val before = if (ranks(level).getLong(entry, 0) == Absent) row else winner(level, entry)
      settle(level, entry)
      isOther = before != row && winner(level, entry) == before
      level += 1
    }
  }

  /** Plays the match of an entry anew. The entries of a match never span two chunks. */
  private def settle(level: Int, entry: Int): Unit = {
    val start = entry << FanBits
    val below = ranks(level - 1).chunk(start)
    val base = ranks(level - 1).base(start)
    // First the least rank, without branches, then the first row that has it.
    var least = NoRank
    var i = 0
    while (i < Fan) {
      least = math.min(least, comparable(below, base + 2 * i))
      i += 1
    }
    var best = -1
    i = 0
    while (least != NoRank && i < Fan) {
      if (comparable(below, base + 2 * i) == least && (best < 0 || comesFirst(level - 1, start + i, start + best)))
        best = i
      i += 1
    }
    ranks(level).putLong(entry, 0, least ^ NoRank)
    if (least != NoRank) {
      winners(level)(entry, 0) = winner(level - 1, start + best)
      seconds(level).putLong(entry, 0, second(level - 1, start + best))
    }
  }

  private def winner(level: Int, entry: Int): Int = if (level == 0) entry else winners(level)(entry, 0)
  private def second(level: Int, entry: Int): Long =
    if (level == 0) order.second(entry) else seconds(level).getLong(entry, 0)

  /** Of two entries of equal rank. */
  private def comesFirst(level: Int, a: Int, b: Int): Boolean = {
    val secondA = second(level, a)
    val secondB = second(level, b)
    if (secondA != secondB) secondA < secondB else order.compare(winner(level, a), winner(level, b)) < 0
  }

  /** The level at which the first entry stands for all rows up to this one. */
  private def heightFor(row: Int): Int = (32 - Integer.numberOfLeadingZeros(row) + FanBits - 1) / FanBits

  def checkInvariants(): Unit =
    for (level <- 1 to height; entry <- 0 until ranks(level).capacity) {
      val rank = ranks(level).getLong(entry, 0)
      val below = (entry << FanBits) until math.min((entry + 1) << FanBits, ranks(level - 1).capacity)
      val stored = below.filter(ranks(level - 1).getLong(_, 0) != Absent)
      assert((rank == Absent) == stored.isEmpty, s"rank $rank of ${stored.size}")
      if (rank != Absent) {
        val won = stored.find(winner(level - 1, _) == winner(level, entry)).get
        assert(ranks(level - 1).getLong(won, 0) == rank && second(level - 1, won) == second(level, entry))
        stored.foreach(other => assert(!isBefore(level - 1, other, won), s"$other of level ${level - 1} beats $won"))
      }
    }

  private def isBefore(level: Int, a: Int, b: Int): Boolean = {
    val rankA = ranks(level).getLong(a, 0) ^ NoRank
    val rankB = ranks(level).getLong(b, 0) ^ NoRank
    rankA < rankB || rankA == rankB && comesFirst(level, a, b)
  }
}

object RankTree {
  private val FanBits = 3
  private val Fan = 1 << FanBits
  private val Levels = 12
  private val ChunkShift = 8

  /** The rank of none, which is greater than all ranks, and how it is kept. */
  val NoRank = Long.MaxValue
  private val Absent = 0L

  private def comparable(cells: Array[Int], at: Int): Long =
    ((cells(at).toLong << 32) | (cells(at + 1) & 0xffffffffL)) ^ NoRank
}
