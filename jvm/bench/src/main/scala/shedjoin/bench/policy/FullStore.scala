package shedjoin.bench.policy

import shedjoin.core.Budget
import shedjoin.core.policy.{PolicyRegistry, PolicySetting, RowFacts}

/** A store that is full: each row that comes takes the place of the one shed for it.
  *
  * Rows of both sides in turn, one a tick, with a window in which four times as many come as are stored. A row that is not
  * shed expires; that is told apart by nobody.
  */
final class FullStore(measured: MeasuredPolicy, size: Int) extends RowFacts {
  private val sides = new Array[Byte](size)
  private val values = new Array[Int](size)
  private val lasts = new Array[Long](size)
  private val window = 4L * size
  private val policy = PolicyRegistry(measured.name)(measured.settings, PolicySetting(this, Budget.unlimited, 1))
  private val source = measured.values(size)
  private var tick = 0L

  (0 until size).foreach { row =>
    pass()
    put(row)
  }

  def side(row: Int): Int = sides(row).toInt
  def key(row: Int): Int = values(row)
  def value(row: Int): Long = values(row).toLong
  def lastTick(row: Int): Long = lasts(row)
  def importance(row: Int): Double = 1
  def compareContent(a: Int, b: Int): Int = Integer.compare(a, b)

  /** Stores `rows` rows and sheds as many. */
  def turnOver(rows: Int): Unit = {
    var i = 0
    while (i < rows) {
      pass()
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

  private def put(row: Int): Unit = {
    sides(row) = (tick & 1).toByte
    values(row) = source.next(sides(row).toInt, tick)
    lasts(row) = tick + window
    policy.observed(side(row), value(row))
    policy.arrived(row, 0)
  }
}
