package shedjoin.bench.policy

import shedjoin.core.Budget
import shedjoin.core.policy.{PolicyRegistry, PolicySetting, RowFacts}

/** A store that is full: each row that comes takes the place of the one shed for it.
  *
  * Rows of both sides in turn, one a tick, with a window in which four times as many come as are stored. A row that is not
  * shed expires; that is told apart by nobody. Each `rowsAMatch`th that comes matches a stored one.
  */
final class FullStore(measured: MeasuredPolicy, size: Int) extends RowFacts {

  /** A row's value and side, and its last tick, side by side, as a state that is asked for them would have them. */
  private val cells = new Array[Long](2 * size)
  private val window = 4L * size
  private val policy = PolicyRegistry(measured.name)(measured.settings, PolicySetting(this, Budget.unlimited, 1))
  private val source = measured.values(size)
  private var tick = 0L
  private var partner = 0L
  private var untilMatch = measured.rowsAMatch

  (0 until size).foreach { row =>
    pass()
    put(row)
  }

  def side(row: Int): Int = (cells(2 * row) & 1).toInt
  def key(row: Int): Int = value(row).toInt
  def value(row: Int): Long = cells(2 * row) >> 1
  def lastTick(row: Int): Long = cells(2 * row + 1)
  def importance(row: Int): Double = 1
  def compareContent(a: Int, b: Int): Int = Integer.compare(a, b)

  /** Stores `rows` rows and sheds as many. */
  def turnOver(rows: Int): Unit = {
    var i = 0
    while (i < rows) {
      pass()
      untilMatch -= 1
      if (untilMatch == 0) meet()
      val victim = policy.nextVictim()
      policy.removed(victim)
      put(victim)
      i += 1
    }
  }

  private def pass(): Unit = {
    tick += 1
    policy.advance(tick)
  }

  /** Matches come to all rows in turn, but not in the order in which they lie. */
  private def meet(): Unit = {
    untilMatch = measured.rowsAMatch
    partner = (partner + FullStore.Stride) % size
    policy.matched(partner.toInt)
  }

  private def put(row: Int): Unit = {
    val side = (tick & 1).toInt
    cells(2 * row) = source.next(side, tick).toLong << 1 | side
    cells(2 * row + 1) = tick + window
    policy.observed(side, value(row))
    policy.arrived(row, 0)
  }
}

object FullStore {

  /** A prime, 2^31 - 1, so that all rows have their turn. */
  private val Stride = Int.MaxValue.toLong
}
