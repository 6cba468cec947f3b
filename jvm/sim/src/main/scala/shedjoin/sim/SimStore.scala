package shedjoin.sim

import java.util.Arrays

import shedjoin.core.collection.IdPool
import shedjoin.core.join.Side
import shedjoin.core.policy.RowFacts
import shedjoin.core.{Budget, Mixer, NoRow}

/** The stored rows of a run: where each lies in the trace, by key in chains.
  *
  * Arrays indexed by row id, doubled as they fill.
  */
final private[sim] class SimStore(trace: Trace, within: Within) extends RowFacts {

  private val heads = Array.fill(2, trace.keyCount)(NoRow)
  private val ids = new IdPool(Budget.unlimited)
  private val keys = trace.keyNumbers
  private val rows = Array(trace.left, trace.right).map(side => Array.fill(side.size)(NoRow))
  private var sides, places, nexts, previous = new Array[Int](64)
  private var lasts = new Array[Long](64)
  private val counts = new Array[Int](2)

  def count: Int = counts(Side.Left) + counts(Side.Right)
  def count(side: Int): Int = counts(side)

  def side(row: Int): Int = sides(row)
  def key(row: Int): Int = keys(sides(row))(places(row))
  def value(row: Int): Long = trace.side(sides(row)).values(places(row))
  def lastTick(row: Int): Long = lasts(row)
  def importance(row: Int): Double = trace.side(sides(row)).importances(places(row))
  def time(row: Int): Long = trace.side(sides(row)).times(places(row))
  def place(row: Int): Int = places(row)

  /** By time, value, key and importance; where only the sides differ, either comes first for half of all times and values. */
  def compareContent(a: Int, b: Int): Int = {
    val byTime = java.lang.Long.compare(time(a), time(b))
    val byValue = java.lang.Long.compare(value(a), value(b))
    if (byTime != 0) byTime
    else if (byValue != 0) byValue
    else if (key(a) != key(b)) Integer.compare(key(a), key(b))
    else if (importance(a) != importance(b)) java.lang.Double.compare(importance(a), importance(b))
    else if (isRightFirst(time(a), value(a))) Integer.compare(sides(b), sides(a))
    else Integer.compare(sides(a), sides(b))
  }

  private def isRightFirst(time: Long, value: Long): Boolean =
    (time * Mixer.Golden + value) * 0xbf58476d1ce4e5b9L < 0

  /** Stores a row and returns its id. O(log32 rows). */
  def add(side: Int, place: Int): Int = {
    val row = ids.take()
    if (row == sides.length) grow()
    sides(row) = side
    places(row) = place
    lasts(row) = within.lastTick(trace, side, place)
    val k = key(row)
    nexts(row) = heads(side)(k)
    previous(row) = NoRow
    if (nexts(row) != NoRow) previous(nexts(row)) = row
    heads(side)(k) = row
    rows(side)(place) = row
    counts(side) += 1
    row
  }

  /** Takes a row out; its facts stay until its id is used again. O(log32 rows). */
  def remove(row: Int): Unit = {
    if (previous(row) == NoRow) heads(sides(row))(key(row)) = nexts(row) else nexts(previous(row)) = nexts(row)
    if (nexts(row) != NoRow) previous(nexts(row)) = previous(row)
    rows(sides(row))(places(row)) = NoRow
    ids.free(row)
    counts(sides(row)) -= 1
  }

  /** Some stored row of this side and key, and the next one after it, or `NoRow`. */
  def first(side: Int, key: Int): Int = heads(side)(key)
  def next(row: Int): Int = nexts(row)

  /** The stored row at a place of the trace, or `NoRow`. O(1). */
  def at(side: Int, place: Int): Int = rows(side)(place)

  private def grow(): Unit = {
    sides = Arrays.copyOf(sides, sides.length * 2)
    places = Arrays.copyOf(places, places.length * 2)
    nexts = Arrays.copyOf(nexts, nexts.length * 2)
    previous = Arrays.copyOf(previous, previous.length * 2)
    lasts = Arrays.copyOf(lasts, lasts.length * 2)
  }
}
