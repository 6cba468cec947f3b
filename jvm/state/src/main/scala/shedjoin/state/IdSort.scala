package shedjoin.state

import shedjoin.core.Budget
import shedjoin.core.collection.IntTable

/** Sorts ranges of id lists by a number each id has: stable, and in memory of the budget.
  *
  * A least-significant-digit radix sort; digits in which no two numbers differ are skipped. O(n) a digit that is not.
  */
final class IdSort(budget: Budget) {
  import IdSort._

  private val scratch = new IntTable(1, budget, ScratchChunkShift)
  private val counts = {
    budget.reserve(Budget.arrayBytes(Digits, 4))
    new Array[Int](Digits)
  }

  /** Makes room to sort so many ids, so that sorting them can not fail. */
  def ensureRoom(ids: Int): Unit = scratch.ensure(ids)

  /** Sorts the places from `from` to before `until`, ascending by `key` as an unsigned number. */
  def sort(list: IdList, from: Int, until: Int, key: IdKey): Unit = {
    var differing = 0L
    var sorted = true
    val first = key(list(from))
    var before = first
    var place = from + 1
    while (place < until) {
      val now = key(list(place))
      differing |= now ^ first
      sorted &= java.lang.Long.compareUnsigned(before, now) <= 0
      before = now
      place += 1
    }
    if (!sorted) {
      scratch.ensure(until - from)
      var shift = 0
      while (shift < 64) {
        if (((differing >>> shift) & DigitMask) != 0) pass(list, from, until, key, shift)
        shift += DigitBits
      }
    }
  }

  /** Gives back the memory of a large sort. */
  def trim(): Unit = scratch.trim(1)

  private def pass(list: IdList, from: Int, until: Int, key: IdKey, shift: Int): Unit = {
    java.util.Arrays.fill(counts, 0)
    var place = from
    while (place < until) {
      counts(digit(key(list(place)), shift)) += 1
      scratch(place - from, 0) = list(place)
      place += 1
    }
    var total = from
    var d = 0
    while (d < Digits) {
      val count = counts(d)
      counts(d) = total
      total += count
      d += 1
    }
    place = from
    while (place < until) {
      val id = scratch(place - from, 0)
      val d = digit(key(id), shift)
      list(counts(d)) = id
      counts(d) += 1
      place += 1
    }
  }
}

object IdSort {
  private val DigitBits = 11
  private val Digits = 1 << DigitBits
  private val DigitMask = Digits - 1L
  private val ScratchChunkShift = 10

  private def digit(key: Long, shift: Int): Int = ((key >>> shift) & DigitMask).toInt
}

/** The number by which an id is sorted. */
trait IdKey {
  def apply(id: Int): Long
}
