package shedjoin.core.collection

import java.io.{DataInput, DataOutput}

import shedjoin.core.{Budget, NoRow}

/** Rows in groups by side and score, each with its first row at hand: a group's scores lie in one band, a step of 1/256 of the
  * score or less.
  *
  * Scores are at least 0 and come as their logarithms do, as numbers that grow by 1 where the score doubles and are 0 for
  * nothing; bands are the 256 equal parts of a doubling. A score below 2^-63 of the greatest that ever was may count as
  * nothing. There are a quarter as many groups as rows at most, but 1,024 of them at least: where these do not do, a row
  * goes into the group of its side nearest to it, and its score is as near as can be.
  *
  * Representation: groups of rows, found by a hash table of fixed size with chains. A score is its group's band and the rest,
  * a 32-bit fraction of a band.
  */
final class BandFirsts(order: RowOrder, firsts: FirstRowListener, budget: Budget) extends FirstRowListener {
  import BandFirsts._

  private val rows = new GroupFirsts(order, this, budget)
  private val rests = new IntTable(1, budget)
  private val groups = new IntTable(4, budget, SmallChunk)
  private val chains = new IntTable(1, budget, SmallChunk)
  chains.ensure(Chains)

  /** How many groups there may be beside the nothings, and are on each side; one place is kept for a side without any. */
  private var limit = 0
  private val openCounts = new Array[Int](2)
  private var groupCount = 0
  private var freeGroup = 0
  private var lowest = 0L

  /** More than any group's number. O(1). */
  def groupRoom: Int = limit + Nothings

  /** The first row of a group. O(1). */
  def first(group: Int): Int = rows.first(group)

  /** The second number of the first row of a group that has one. O(1). */
  def firstSecond(group: Int): Long = rows.firstSecond(group)

  /** The first row of two groups that have one. O(1). */
  def firstOf(group: Int, other: Int): Int = rows.firstOf(group, other)

  /** The group's band: the least score of it, times `Bands`. O(1). */
  def band(group: Int): Long = groups.getLong(group, Number) >> 1

  /** The group of a side for this band, or -1. O(1). */
  def group(band: Long, side: Int): Int = find(2 * band + side)

  /** The group of the same band of the other side, or -1. O(1). */
  def otherSide(group: Int): Int = find(groups.getLong(group, Number) ^ 1)

  /** The score of a stored row. O(1). */
  def score(row: Int): Double = (band(rows.group(row)) + (rests(row, 0) & 0xffffffffL) * OfRest) / Bands

  /** Makes room for `row`, so that putting it can not fail. O(1) amortised. */
  def ensureRoom(row: Int): Unit = {
    rows.ensureRoom(row)
    rests.ensure(row + 1)
    ensureGroups(limitFor(row + 1))
  }

  private def ensureGroups(count: Int): Unit = if (count > limit) {
    rows.ensureGroup(count + Nothings - 1)
    groups.ensure(count + Nothings)
    limit = count
  }

  /** Puts a row for which room was made. As fast as [[GroupFirsts]], and O(groups) each time the greatest score has doubled
    * eight times more.
    */
  def put(row: Int, side: Int, score: Double): Unit = {
    val scaled = score * Bands
    val band = scaled.toLong
    if (band - lowest >= Most) forget(band - Kept)
    val group = groupOf(if (band < lowest) side.toLong else 2 * band + side)
    val kept = this.band(group)
    rests(row, 0) =
      if (kept == band) ((scaled - band) / OfRest).toLong.toInt else if (kept == 0 || kept > band) 0 else -1
    rows.put(row, group)
  }

  /** Takes a row out. */
  def remove(row: Int): Unit = rows.remove(row)

  /** What lies below this band counts as nothing from now on. */
  private def forget(band: Long): Unit = {
    lowest = band
    var group = 0
    while (group < groupCount) {
      val isLow = first(group) != NoRow && this.band(group) < lowest && this.band(group) > 0
      if (isLow) sink(first(group)) else group += 1
    }
  }

  private def sink(row: Int): Unit = {
    val side = sideOf(groups.getLong(rows.group(row), Number))
    rows.remove(row)
    rests(row, 0) = 0
    rows.put(row, groupOf(side.toLong))
  }

  def firstCame(group: Int): Unit = firsts.firstCame(group)
  def firstWent(group: Int): Unit = firsts.firstWent(group)

  def emptied(group: Int): Unit = {
    close(group)
    firsts.emptied(group)
  }

  /** The group of this number, opened if need be, or the nearest one of its side. */
  private def groupOf(number: Long): Int = {
    val group = find(number)
    if (group >= 0) group else if (number < Nothings || canOpen(sideOf(number))) open(number) else nearest(number)
  }

  private def canOpen(side: Int): Boolean = openCounts(side) + math.max(1, openCounts(1 - side)) < limit

  private def nearest(number: Long): Int = {
    var away = 2
    while (find(number + away) < 0 && find(number - away) < 0) away += 2
    if (find(number + away) >= 0) find(number + away) else find(number - away)
  }

  private def find(number: Long): Int = {
    var group = chains(chainOf(number), 0)
    while (group != 0 && groups.getLong(group - 1, Number) != number) group = groups(group - 1, Chain)
    group - 1
  }

  private def open(number: Long): Int = {
    val group = if (freeGroup != 0) freeGroup - 1 else groupCount
    if (freeGroup != 0) freeGroup = groups(group, Chain) else groupCount += 1
    val chain = chainOf(number)
    if (number >= Nothings) openCounts(sideOf(number)) += 1
    groups.putLong(group, Number, number)
    groups(group, Chain) = chains(chain, 0)
    chains(chain, 0) = group + 1
    group
  }

  private def close(group: Int): Unit = {
    val number = groups.getLong(group, Number)
    if (number >= Nothings) openCounts(sideOf(number)) -= 1
    val chain = chainOf(number)
    val next = groups(group, Chain)
    if (chains(chain, 0) == group + 1) chains(chain, 0) = next
    else {
      var other = chains(chain, 0) - 1
      while (groups(other, Chain) != group + 1) other = groups(other, Chain) - 1
      groups(other, Chain) = next
    }
    groups(group, Chain) = freeGroup
    freeGroup = group + 1
  }

  /** Writes what is not said by the scores of the rows; reads it, before any row is put. */
  def save(out: DataOutput): Unit = {
    out.writeLong(lowest)
    out.writeInt(limit)
  }
  def restore(in: DataInput): Unit = {
    lowest = in.readLong()
    ensureGroups(in.readInt())
  }

  def checkInvariants(): Unit = {
    rows.checkInvariants()
    val open = (0 until groupCount).filter(first(_) != NoRow)
    val numbers = open.map(groups.getLong(_, Number)).filter(_ >= Nothings)
    assert(numbers.size <= limit && (0 to 1).forall(side => numbers.count(sideOf(_) == side) == openCounts(side)))
    open.foreach { group =>
      assert(find(groups.getLong(group, Number)) == group, s"group $group is not found")
      assert(band(group) == 0 || band(group) >= lowest, s"band ${band(group)} below $lowest")
    }
  }
}

object BandFirsts {

  /** In how many bands a score doubles. */
  val Bands = 256.0

  /** How many bands there may be before all but `Kept` of them count as nothing. */
  private val Most = 72L * Bands.toLong
  private val Kept = 64L * Bands.toLong - 1

  /** The groups of both sides that are nothing. */
  private val Nothings = 2
  private val MostGroups = 2 * Most.toInt
  private val FewGroups = 1024
  private val RowsAGroup = 4

  private def limitFor(rows: Int): Int =
    math.min(math.min(rows, math.max(FewGroups, rows / RowsAGroup)), MostGroups) + 1

  private val Number = 0
  private val Chain = 2
  private val SmallChunk = 8
  private val Chains = 1024
  private val OfRest = 1.0 / (1L << 32)
  private def sideOf(number: Long): Int = (number & 1).toInt
  private def chainOf(number: Long): Int = number.toInt & (Chains - 1)
}
