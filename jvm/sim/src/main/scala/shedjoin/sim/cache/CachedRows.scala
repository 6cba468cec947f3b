package shedjoin.sim.cache

import java.util.Arrays

import scala.collection.mutable

import shedjoin.core.collection.IdPool
import shedjoin.core.join.Side
import shedjoin.core.policy.RowFacts
import shedjoin.core.{Budget, NoRow}

/** The rows of a relation that a cache holds: right rows, which the references, left rows, ask for by their values. */
final private[cache] class CachedRows extends RowFacts {

  private val ids = new IdPool(Budget.unlimited)
  private val byValue = mutable.LongMap.empty[Int]
  private var values, times = new Array[Long](64)

  def count: Int = byValue.size

  /** The row of a value, or `NoRow`. O(1). */
  def find(value: Long): Int = byValue.getOrElse(value, NoRow)

  /** Takes in a row that was fetched at `time`; its id. */
  def add(value: Long, time: Long): Int = {
    val row = ids.take()
    if (row == values.length) {
      values = Arrays.copyOf(values, 2 * row)
      times = Arrays.copyOf(times, 2 * row)
    }
    values(row) = value
    times(row) = time
    byValue(value) = row
    row
  }

  def remove(row: Int): Unit = {
    byValue -= values(row)
    ids.free(row)
  }

  def side(row: Int): Int = Side.Right
  def key(row: Int): Int = row
  def value(row: Int): Long = values(row)
  def lastTick(row: Int): Long = RowFacts.Never
  def importance(row: Int): Double = 1

  /** By the time when it was fetched, and by value. */
  def compareContent(a: Int, b: Int): Int =
    if (times(a) != times(b)) java.lang.Long.compare(times(a), times(b))
    else java.lang.Long.compare(values(a), values(b))
}
