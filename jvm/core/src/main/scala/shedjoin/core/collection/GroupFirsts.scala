package shedjoin.core.collection

import scala.collection.mutable

import shedjoin.core.{Budget, NoRow}

/** Rows of one weight in groups, each with its first row at hand.
  *
  * Representation: the rows of a group are a heap of [[RowHeaps]]. A row is hung below the latest one known, else below the
  * one put last, and only where it comes before both below the first one. So rows that come in their order are a list, and
  * the first of it goes at O(1); others cost O(log rows), amortised. Rows of groups are ids + 1, 0 for none. Beside the
  * first row and the latest one stand their second numbers, so that neither is asked for them.
  */
final class GroupFirsts(order: RowOrder, firsts: FirstRowListener, budget: Budget) {
  import GroupFirsts._

  private val heaps = new RowHeaps(order, RowHeaps.Fields + 1, budget)
  private val groups = new IntTable(8, budget, GroupChunk)

  /** The first row of a group, or `NoRow`. O(1). */
  def first(group: Int): Int = groups(group, First) - 1

  /** The second number of the first row of a group that has one. O(1). */
  def firstSecond(group: Int): Long = groups.getLong(group, FirstSecond)

  /** The first row of two groups that have one. O(1). */
  def firstOf(group: Int, other: Int): Int = {
    val row = first(group)
    val rival = first(other)
    if (order.isEarlier(row, firstSecond(group), rival, firstSecond(other))) row else rival
  }

  /** The group of a stored row. O(1). */
  def group(row: Int): Int = heaps.nodes(row, Group)

  /** Makes room for a row, or for a group, so that putting it can not fail. O(1) amortised. */
  def ensureRoom(row: Int): Unit = heaps.ensureRoom(row)
  def ensureGroup(group: Int): Unit = groups.ensure(group + 1)

  /** Puts a row into a group, with room made for both. O(1) where it comes after the one put last into it, else O(log rows of
    * the group), amortised.
    */
  def put(row: Int, group: Int): Unit = {
    heaps.clear(row)
    heaps.nodes(row, Group) = group
    val second = order.second(row)
    val before = first(group)
    if (before == NoRow) {
      follow(group, row, second)
      groups(group, Last) = row + 1
      lead(group, row, second)
      firsts.firstCame(group)
    } else {
      val latest = groups(group, Latest) - 1
      if (order.isEarlier(row, second, latest, groups.getLong(group, LatestSecond))) putLate(row, second, group)
      else {
        follow(group, row, second)
        heaps.hang(latest, row)
      }
      groups(group, Last) = row + 1
    }
  }

  /** Puts a row that comes before the latest one. */
  private def putLate(row: Int, second: Long, group: Int): Unit = {
    val before = first(group)
    val last = groups(group, Last) - 1
    val isAfterLast = !order.isEarlier(row, last)
    if (isAfterLast) heaps.hang(last, row)
    else if (!order.isEarlier(row, second, before, firstSecond(group))) heaps.hang(before, row)
    else {
      heaps.hang(row, before)
      lead(group, row, second)
      firsts.firstCame(group)
    }
  }

  private def follow(group: Int, row: Int, second: Long): Unit = {
    groups(group, Latest) = row + 1
    groups.putLong(group, LatestSecond, second)
  }

  private def lead(group: Int, row: Int, second: Long): Unit = {
    groups(group, First) = row + 1
    groups.putLong(group, FirstSecond, second)
  }

  /** Takes a row out. O(1) in a list, else O(log rows of its group), amortised. */
  def remove(row: Int): Unit = {
    val group = this.group(row)
    if (first(group) != row) {
      forget(group, row, heaps.nodes(row, RowHeaps.Before))
      heaps.remove(row)
    } else {
      val heir = heaps.withoutTop(row)
      if (heir != NoRow) {
        forget(group, row, heir + 1)
        lead(group, heir, order.second(heir))
        firsts.firstWent(group)
      } else {
        groups(group, First) = 0
        firsts.emptied(group)
      }
    }
  }

  /** Another row of the group stands where one did that goes. */
  private def forget(group: Int, row: Int, other: Int): Unit = {
    if (groups(group, Latest) == row + 1) follow(group, other - 1, order.second(other - 1))
    if (groups(group, Last) == row + 1) groups(group, Last) = other
  }

  def checkInvariants(): Unit = (0 until groups.capacity).filter(first(_) != NoRow).foreach { group =>
    val found = mutable.HashSet.empty[Int]
    heaps.checkInvariants(first(group)) { row =>
      assert(this.group(row) == group, s"row $row is of group ${this.group(row)}, not $group")
      found += row
    }
    assert(firstSecond(group) == order.second(first(group)), s"the first row of group $group")
    assert(
      groups.getLong(group, LatestSecond) == order.second(groups(group, Latest) - 1),
      s"the latest row of group $group"
    )
    Seq(Latest, Last).foreach { field =>
      assert(found(groups(group, field) - 1), s"row ${groups(group, field) - 1} is not in group $group")
    }
  }
}

object GroupFirsts {
  private val Group = RowHeaps.Fields

  private val First = 0
  private val Latest = 1
  private val Last = 2
  private val FirstSecond = 4
  private val LatestSecond = 6
  private val GroupChunk = 8
}
