package shedjoin.state

import shedjoin.core.Budget
import shedjoin.core.collection.{ChunkPool, IntTable}

/** Sorts ranges of id lists by a number each id has: stable, and in memory of the budget.
  *
  * A few ascending runs, as several sources give them, are merged; else it is a least-significant-digit radix sort, which
  * skips digits in which no two numbers differ. O(n) a merge or such a digit.
  */
final class IdSort(budget: Budget, pool: ChunkPool) {
  import IdSort._

  private val scratch = new IntTable(1, budget, pool)
  private val counts = {
    budget.reserve(Budget.arrayBytes(Digits, 4))
    new Array[Int](Digits)
  }

  /** Where the first runs of the range begin. */
  private val starts = {
    budget.reserve(Budget.arrayBytes(MostRuns, 4))
    new Array[Int](MostRuns)
  }

  /** Makes room to sort so many ids, so that sorting them can not fail. */
  def ensureRoom(ids: Int): Unit = scratch.ensure(ids)

  /** Sorts the places from `from` to before `until`, ascending by `key` as an unsigned number. */
  def sort(list: IdList, from: Int, until: Int, key: IdKey): Unit = {
    var differing = 0L
    var runs = 1
    starts(0) = from
    val first = key(list(from))
    var before = first
    var place = from + 1
    while (place < until) {
      val now = key(list(place))
      differing |= now ^ first
      if (java.lang.Long.compareUnsigned(before, now) > 0) {
        if (runs < MostRuns) starts(runs) = place
        runs += 1
      }
      before = now
      place += 1
    }
    if (runs > 1) {
      scratch.ensure(until - from)
      if (runs <= MostRuns) mergeRuns(list, runs, until, key) else sortByDigits(list, from, until, key, differing)
    }
  }

  private def mergeRuns(list: IdList, runs: Int, until: Int, key: IdKey): Unit = {
    def startOf(run: Int): Int = if (run < runs) starts(run) else until
    var width = 1
    while (width < runs) {
      var run = 0
      while (run + width < runs) {
        merge(list, startOf(run), startOf(run + width), startOf(run + 2 * width), key)
        run += 2 * width
      }
      width *= 2
    }
  }

  /** Merges two ascending ranges that lie one behind the other. */
  private def merge(list: IdList, from: Int, middle: Int, until: Int, key: IdKey): Unit = {
    val count = middle - from
    var i = 0
    while (i < count) {
      scratch(i, 0) = list(from + i)
      i += 1
    }
    var to = from
    var right = middle
    i = 0
    var leftKey = key(scratch(0, 0))
    var rightKey = key(list(middle))
    while (i < count && right < until) {
      if (java.lang.Long.compareUnsigned(leftKey, rightKey) <= 0) {
        list(to) = scratch(i, 0)
        i += 1
        if (i < count) leftKey = key(scratch(i, 0))
      } else {
        list(to) = list(right)
        right += 1
        if (right < until) rightKey = key(list(right))
      }
      to += 1
    }
    while (i < count) {
      list(to) = scratch(i, 0)
      i += 1
      to += 1
    }
  }

  private def sortByDigits(list: IdList, from: Int, until: Int, key: IdKey, differing: Long): Unit = {
    var shift = 0
    while (shift < 64) {
      if (((differing >>> shift) & DigitMask) != 0) pass(list, from, until, key, shift)
      shift += DigitBits
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

  /** More runs than these are no cheaper to merge than to sort by digits. */
  private val MostRuns = 4

  private def digit(key: Long, shift: Int): Int = ((key >>> shift) & DigitMask).toInt
}

/** The number by which an id is sorted. */
trait IdKey {
  def apply(id: Int): Long
}
