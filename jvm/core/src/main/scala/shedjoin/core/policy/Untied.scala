package shedjoin.core.policy

import shedjoin.core.collection.RankTies

/** For groups of which any of equal rank may come first. */
private[policy] object Untied extends RankTies {
  def second(group: Int): Long = 0
  def compare(a: Int, b: Int): Int = Integer.compare(a, b)
}
