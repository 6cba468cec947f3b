package shedjoin.core.policy

import shedjoin.core.Budget
import shedjoin.core.collection.{IntTable, OrderedRows, RowOrder, RowRanking, Tournament}
import shedjoin.core.policy.RowFacts.NoRow

/** Sheds from the key with most stored rows, its row with least life left first.
  *
  * Representation: the rows on a line by key; the keys in a tournament by their number of rows, each with its first row,
  * which decides among keys with as many.
  */
final private[policy] class HottestKeyPolicy(facts: RowFacts, budget: Budget)
    extends TabledPolicy(facts, 1, budget)
    with RowOrder
    with RowRanking {
  import HottestKeyPolicy._

  private val rows = new OrderedRows(1, this, budget)
  private val keys = new IntTable(2, budget)
  private val hottest = new Tournament(this, budget)

  def coordinate(row: Int): Long = facts.key(row).toLong
  def compare(a: Int, b: Int): Int = facts.compareTied(a, b)

  def precedes(a: Int, b: Int): Boolean = {
    val more = keys(a, Count) - keys(b, Count)
    more > 0 || more == 0 && facts.compareTied(keys(a, First), keys(b, First)) < 0
  }
  def holdsUntil(first: Int, second: Int): Long = RowRanking.Forever

  def matched(row: Int): Unit = ()

  def nextVictim(): Int = if (hottest.first == NoRow) NoRow else keys(hottest.first, First)

  protected def ensureRoom(row: Int): Unit = {
    rows.ensureRoom(row)
    keys.ensure(facts.key(row) + 1)
    hottest.ensureRoom(facts.key(row))
  }
  protected def noteArrival(row: Int, matches: Int): Unit = ()

  protected def enter(row: Int): Unit = {
    val key = facts.key(row)
    rows.add(0, row)
    keys(key, Count) += 1
    if (keys(key, Count) == 1) {
      keys(key, First) = row
      hottest.add(key)
    } else {
      if (facts.compareTied(row, keys(key, First)) < 0) keys(key, First) = row
      hottest.changed(key)
    }
  }

  protected def leave(row: Int): Unit = {
    val key = facts.key(row)
    rows.remove(0, row)
    keys(key, Count) -= 1
    if (keys(key, Count) == 0) hottest.remove(key)
    else {
      keys(key, First) = rows.firstWithin(0, key.toLong, key.toLong)
      hottest.changed(key)
    }
  }

  override def checkInvariants(): Unit = {
    super.checkInvariants()
    rows.checkInvariants()
    hottest.checkInvariants()
  }
}

private object HottestKeyPolicy {
  private val Count = 0
  private val First = 1
}
