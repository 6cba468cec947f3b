package shedjoin.sim

import java.util.Arrays

import shedjoin.core.NoRow
import shedjoin.core.join.Side
import shedjoin.core.policy.{RowFacts, ShedPolicy}

/** Learns rates as well as counting can: knows when they changed last, and counts all that came since, each value exactly
  * and for ever. A row is worth the count of its value on the other side times `worth` of the life it has left. Scans all
  * rows.
  */
final class ExactCounts(values: Int, from: Long, worth: Long => Double) extends ReferencePolicy {

  def over(facts: RowFacts, placeOf: Int => Int): ShedPolicy = new RunPolicy {
    private val counts = new Array[Int](2 * values)

    /** The stored rows: their ids, their last ticks, and where their partners are counted. */
    private var rows, partners = new Array[Int](64)
    private var lasts = new Array[Long](64)
    private var size = 0

    override def observed(side: Int, value: Long): Unit =
      if (tick >= from) counts(side * values + value.toInt) += 1

    def arrived(row: Int, matches: Int): Unit = {
      if (size == rows.length) grow()
      rows(size) = row
      partners(size) = Side.other(facts.side(row)) * values + facts.value(row).toInt
      lasts(size) = facts.lastTick(row)
      size += 1
    }

    private def grow(): Unit = {
      rows = Arrays.copyOf(rows, 2 * size)
      partners = Arrays.copyOf(partners, 2 * size)
      lasts = Arrays.copyOf(lasts, 2 * size)
    }

    def removed(row: Int): Unit = {
      val at = rows.indexOf(row)
      size -= 1
      rows(at) = rows(size)
      partners(at) = partners(size)
      lasts(at) = lasts(size)
    }

    def nextVictim(): Int = {
      var victim = 0
      var i = 1
      while (i < size) {
        if (goesFirst(i, victim)) victim = i
        i += 1
      }
      if (size == 0) NoRow else rows(victim)
    }

    private def goesFirst(a: Int, b: Int): Boolean = {
      val rankA = rank(a)
      val rankB = rank(b)
      if (rankA != rankB) rankA < rankB
      else if (lasts(a) != lasts(b)) lasts(a) < lasts(b)
      else facts.compareTied(rows(a), rows(b)) < 0
    }

    private def rank(at: Int): Double = {
      val count = counts(partners(at))
      if (count == 0) 0 else count * worth(lasts(at) - tick)
    }
  }
}
