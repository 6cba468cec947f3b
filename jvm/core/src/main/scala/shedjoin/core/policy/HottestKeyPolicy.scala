package shedjoin.core.policy

import shedjoin.core.Budget
import shedjoin.core.collection.{FirstRows, GroupedRows, RankTies, RankTree}
import shedjoin.core.policy.RowFacts.NoRow

/** Sheds from the key with most stored rows, its row with least life left first.
  *
  * Representation: the rows of a key as a group; the keys in a tree by their number of rows, where the first rows decide
  * among keys with as many.
  */
final private[policy] class HottestKeyPolicy(facts: RowFacts, budget: Budget)
    extends TabledPolicy(facts, stride = 0, budget)
    with RankTies {
  private val rows = new GroupedRows(this, FirstRows.Untold, budget)

  /** Ranked by how many rows there are, negated. */
  private val keys = new RankTree(new OfKeys, budget)

  def second(row: Int): Long = facts.lastTick(row)
  def compare(a: Int, b: Int): Int = facts.compareContent(a, b)

  final private class OfKeys extends RankTies {
    def second(key: Int): Long = facts.lastTick(rows.first(key))
    def compare(a: Int, b: Int): Int = facts.compareContent(rows.first(a), rows.first(b))
  }

  def matched(row: Int): Unit = ()

  def nextVictim(): Int = if (keys.first == NoRow) NoRow else rows.first(keys.first)

  protected def ensureRoom(row: Int): Unit = {
    rows.ensureRoom(row)
    rows.ensureGroup(facts.key(row))
    keys.ensureRoom(facts.key(row))
  }
  protected def noteArrival(row: Int, matches: Int): Unit = ()

  protected def enter(row: Int): Unit = {
    val key = facts.key(row)
    val before = if (rows.first(key) == NoRow) 0L else keys.rank(key)
    rows.put(row, key)
    keys.put(key, before - 1)
  }

  protected def leave(row: Int): Unit = {
    val key = rows.group(row)
    rows.remove(row)
    if (rows.first(key) == NoRow) keys.remove(key) else keys.put(key, keys.rank(key) + 1)
  }

  override def checkInvariants(): Unit = {
    super.checkInvariants()
    rows.checkInvariants()
    keys.checkInvariants()
  }
}
