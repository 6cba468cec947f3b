package shedjoin.state

import shedjoin.core.collection.{ChunkPool, IntTable}
import shedjoin.core.{Budget, Bytes}

/** The rows of one side of a batch that are in the row log and not yet stored, and their canonical order.
  *
  * Canonical order is that of event times, then of the rows' bytes; so whatever order the shuffle brought the rows in,
  * they are stored in the same one, under the same ids.
  */
final class Staging(pages: RowPages, budget: Budget, pool: ChunkPool) {
  import Staging._

  private val cells = new IntTable(4, budget, pool)
  private val order = new IdList(budget, pool)
  private val sorter = new IdSort(budget, pool)
  private var count = 0

  /** The range of rows that `arrangeByBytes` goes on with. */
  private var keptFrom = 0
  private var keptUntil = 0

  def size: Int = count

  /** Makes room for one more row, so that `add` can not fail. */
  def ensureRoom(): Unit = {
    cells.ensure(count + 1)
    order.ensureRoom(1)
  }

  def add(address: Int, key: Int, time: Long): Unit = {
    cells(count, Address) = address
    cells(count, Key) = key
    cells.putLong(count, Time, time)
    order.add(count)
    count += 1
  }

  /** Puts the rows into canonical order. O(n), a few times over when they came out of order. */
  def arrange(): Unit = if (count > 1) {
    sorter.sort(order, 0, count, byTime)
    forEachRun(0, count, byTime)(sortRun)
    sorter.trim()
  }

  /** Arranges rows of equal times and equal bytes before `start`. Of the ranges that a word splits them into it recurs into
    * all but the longest, with which it goes on: so it recurs no deeper than the number of rows has bits.
    */
  private def arrangeByBytes(from: Int, until: Int, start: Int): Unit = {
    keep(from, until)
    var word = start
    while (keptUntil - keptFrom >= ShortRun) {
      word = firstSplit(keptFrom, keptUntil, word)
      if (isOneRun(keptFrom, keptUntil, word)) sortByLength(keptFrom, keptUntil)
      else {
        val splitWord = word
        val key: IdKey = index => wordOf(cells(index, Address), splitWord)
        if (isMostlyOneRun(keptFrom, keptUntil, key)) splitAround(keptFrom, keptUntil, word, key)
        else splitBySorting(keptFrom, keptUntil, word, key)
        word += 8
      }
    }
    order.insertionSort(keptFrom, keptUntil, isBefore)
  }

  private def keep(from: Int, until: Int): Unit = {
    keptFrom = from
    keptUntil = until
  }

  /** Rows that differ in length alone. */
  private def sortByLength(from: Int, until: Int): Unit = {
    sorter.sort(order, from, until, byLength)
    keep(until, until)
  }

  /** Whether most of some rows here and there have the key of the row in the middle. */
  private def isMostlyOneRun(from: Int, until: Int, key: IdKey): Boolean = {
    val middle = key(order((from + until) >>> 1))
    val step = (until - from) / Samples
    var alike = 0
    var sample = 0
    while (sample < Samples) {
      if (key(order(from + sample * step)) == middle) alike += 1
      sample += 1
    }
    alike >= Samples * 3 / 4
  }

  /** Splits the rows into those below the key of the row in the middle, those with it and those above; keeps those with it,
    * if they are half of all as it seemed.
    */
  private def splitAround(from: Int, until: Int, word: Int, key: IdKey): Unit = {
    val middle = key(order((from + until) >>> 1))
    var below = from
    var above = until
    var place = from
    while (place < above) {
      val side = java.lang.Long.compareUnsigned(key(order(place)), middle)
      if (side < 0) {
        swap(below, place)
        below += 1
        place += 1
      } else if (side > 0) {
        above -= 1
        swap(place, above)
      } else place += 1
    }
    if (above - below < (until - from) / 2) splitBySorting(from, until, word, key)
    else {
      arrangeByBytes(from, below, word)
      arrangeByBytes(above, until, word)
      keep(below, above)
    }
  }

  private def swap(a: Int, b: Int): Unit = {
    val index = order(a)
    order(a) = order(b)
    order(b) = index
  }

  /** Sorts the rows by a word, arranges all runs of equal words but the longest, and keeps that. */
  private def splitBySorting(from: Int, until: Int, word: Int, key: IdKey): Unit = {
    sorter.sort(order, from, until, key)
    var longestFrom = from
    var longestUntil = from
    forEachRun(from, until, key) { (first, end) =>
      if (end - first <= longestUntil - longestFrom) arrangeByBytes(first, end, word + 8)
      else {
        arrangeByBytes(longestFrom, longestUntil, word + 8)
        longestFrom = first
        longestUntil = end
      }
    }
    keep(longestFrom, longestUntil)
  }

  /** The first word, from `start` on, in which the rows differ, or their last. */
  private def firstSplit(from: Int, until: Int, start: Int): Int = {
    var word = start
    while (isOneRun(from, until, word) && !isLastWord(from, until, word)) word += 8
    word
  }

  /** Whether all rows have the same bytes at `word`. */
  private def isOneRun(from: Int, until: Int, word: Int): Boolean = {
    val first = wordOf(cells(order(from), Address), word)
    var place = from + 1
    while (place < until && wordOf(cells(order(place), Address), word) == first) place += 1
    place == until
  }

  /** Hands each run of two or more equal keys to `f`. */
  private def forEachRun(from: Int, until: Int, key: IdKey)(f: (Int, Int) => Unit): Unit = {
    var start = from
    while (start < until) {
      val value = key(order(start))
      var end = start + 1
      while (end < until && key(order(end)) == value) end += 1
      if (end - start > 1) f(start, end)
      start = end
    }
  }

  /** Whether none of the rows has a word after `word`; rows that still are in one run then differ in length at most. */
  private def isLastWord(from: Int, until: Int, word: Int): Boolean = {
    var place = from
    while (place < until && pages.length(cells(order(place), Address)) <= word + 8) place += 1
    place == until
  }

  /** Eight bytes as an unsigned number that compares as they do; missing ones count as zero. */
  private def wordOf(address: Int, word: Int): Long = {
    val length = pages.length(address)
    val at = pages.offset(address) + word
    if (word + 8 <= length) Bytes.getComparable(pages.page(address), at)
    else {
      var value = 0L
      var i = 0
      while (i < 8) {
        value = (value << 8) | (if (word + i < length) pages.page(address)(at + i) & 0xff else 0)
        i += 1
      }
      value
    }
  }

  def indexAt(place: Int): Int = order(place)
  def key(index: Int): Int = cells(index, Key)
  def time(index: Int): Long = cells.getLong(index, Time)

  /** The row's address, or `Settled`. */
  def address(index: Int): Int = if (index < count) cells(index, Address) else Settled
  def setAddress(index: Int, address: Int): Unit = cells(index, Address) = address

  def setKey(index: Int, key: Int): Unit = cells(index, Key) = key

  /** Whether the row was neither stored nor discarded. */
  def isWaiting(index: Int): Boolean = cells(index, Address) != Settled

  /** Notes that the row was stored or discarded. */
  def settle(index: Int): Unit = cells(index, Address) = Settled

  def clear(): Unit = {
    count = 0
    cells.trim(1)
    order.clear()
  }

  private val sortRun: (Int, Int) => Unit = (from, until) => arrangeByBytes(from, until, 0)
  private val byLength: IdKey = index => pages.length(cells(index, Address)).toLong
  private val byTime: IdKey = index => time(index) ^ Long.MinValue
  private val isBefore: IdOrder = (a, b) => compareBytes(cells(a, Address), cells(b, Address)) < 0

  private def compareBytes(a: Int, b: Int): Int = {
    val fromA = pages.offset(a)
    val fromB = pages.offset(b)
    java.util.Arrays.compareUnsigned(
      pages.page(a),
      fromA,
      fromA + pages.length(a),
      pages.page(b),
      fromB,
      fromB + pages.length(b)
    )
  }
}

object Staging {
  private val Address = 0
  private val Key = 1
  private val Time = 2
  private val ShortRun = 24
  private val Samples = 16

  val Settled = -1
}
