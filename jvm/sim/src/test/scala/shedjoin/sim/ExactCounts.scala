package shedjoin.sim

import java.util.Arrays

import shedjoin.core.join.Side
import shedjoin.core.policy.{RowFacts, ShedPolicy}

/** Learns rates as well as counting can: knows when they changed last, and counts all that came since, each value exactly
  * and for ever. A row is worth the count of its value on the other side times `worth` of the life it has left. Scans all
  * rows.
  */
final class ExactCounts(values: Int, from: Long, worth: Long => Double) extends ReferencePolicy {

  def over(facts: RowFacts, placeOf: Int => Int): ShedPolicy = new RunPolicy {
    private val counts = Array.fill(2, values)(0)
    private var rows = new Array[Int](64)
    private var size = 0

    override def observed(side: Int, value: Long): Unit = if (tick >= from) counts(side)(value.toInt) += 1

    def arrived(row: Int, matches: Int): Unit = {
      if (size == rows.length) rows = Arrays.copyOf(rows, 2 * size)
      rows(size) = row
      size += 1
    }

    def removed(row: Int): Unit = {
      size -= 1
      rows(rows.indexOf(row)) = rows(size)
    }

    def nextVictim(): Int = {
      var victim = RowFacts.NoRow
      var least = 0.0
      var i = 0
      while (i < size) {
        val row = rows(i)
        val rank = this.rank(row)
        if (victim == RowFacts.NoRow || rank < least || rank == least && facts.compareTied(row, victim) < 0) {
          victim = row
          least = rank
        }
        i += 1
      }
      victim
    }

    private def rank(row: Int): Double = {
      val count = counts(Side.other(facts.side(row)))(facts.value(row).toInt)
      if (count == 0) 0 else count * worth(facts.lifeLeft(row, tick))
    }
  }
}
