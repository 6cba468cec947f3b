package shedjoin.core.policy

import shedjoin.core.collection.RowOrder

/** Which of two rows of equal rank goes first: the one with less life left, then by content, then by id. */
private[policy] class TieOrder(facts: RowFacts) extends RowOrder {
  final override def second(row: Int): Long = facts.lastTick(row)
  final def compare(a: Int, b: Int): Int = facts.compare(a, b)
}
