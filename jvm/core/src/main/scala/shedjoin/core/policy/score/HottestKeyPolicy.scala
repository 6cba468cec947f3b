package shedjoin.core.policy.score

import shedjoin.core.collection.{FirstRowListener, GroupFirsts, RowOrder}
import shedjoin.core.policy.{RowFacts, TabledPolicy, TieOrder}
import shedjoin.core.{Budget, NoRow}

/** Sheds from the key with most stored rows, its row with least life left first.
  *
  * Representation: the rows of a key as a group, and the keys with as many rows as another group, where their first rows
  * decide. The most rows of a key change by one at a time.
  */
final private[policy] class HottestKeyPolicy(facts: RowFacts, budget: Budget)
    extends TabledPolicy(facts, stride = 0, budget) {
  private val rows = new GroupFirsts(new TieOrder(facts), FirstRowListener.Untold, budget)
  private val keys = new GroupFirsts(new OfKeys, FirstRowListener.Untold, budget)
  private var most = 0

  final private class OfKeys extends RowOrder {
    override def second(key: Int): Long = rows.firstSecond(key)
    def compare(a: Int, b: Int): Int = facts.compare(rows.first(a), rows.first(b))
  }

  def matched(row: Int): Unit = ()

  def nextVictim(): Int = if (most == 0) NoRow else rows.first(keys.first(most))

  protected def ensureRoom(row: Int): Unit = {
    val key = facts.key(row)
    rows.ensureRoom(row)
    rows.ensureGroup(key)
    keys.ensureRoom(key)
    keys.ensureGroup(rowsOf(key) + 1)
  }
  protected def noteArrival(row: Int, matches: Int): Unit = ()

  private def rowsOf(key: Int): Int = if (rows.first(key) == NoRow) 0 else keys.group(key)

  protected def enter(row: Int): Unit = {
    val key = facts.key(row)
    val before = rowsOf(key)
    if (before > 0) keys.remove(key)
    rows.put(row, key)
    keys.put(key, before + 1)
    most = math.max(most, before + 1)
  }

  protected def leave(row: Int): Unit = {
    val key = rows.group(row)
    val before = rowsOf(key)
    keys.remove(key)
    rows.remove(row)
    if (before > 1) keys.put(key, before - 1)
    if (keys.first(most) == NoRow) most -= 1
  }

  override def checkInvariants(): Unit = {
    super.checkInvariants()
    rows.checkInvariants()
    keys.checkInvariants()
    assert(most == 0 && count == 0 || keys.first(most) != NoRow, s"no key has $most rows")
  }
}
