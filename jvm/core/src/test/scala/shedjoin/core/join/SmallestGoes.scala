package shedjoin.core.join

import scala.collection.mutable

import shedjoin.core.NoRow

/** Keeps so many rows: of more, that whose value is least when scattered; some are too large, for some room is made first. */
final class SmallestGoes(store: MovingStore, capacity: Int) extends Keeper {
  import SmallestGoes._

  var shape: JoinShape = _
  private val stored = mutable.Map.empty[Int, Int]
  private val shedKeys = mutable.Set.empty[Int]
  private var tick = Long.MinValue
  private var now: Incoming = _

  /** The values of the rows that it was told are stored. */
  def told: Set[Int] = stored.values.toSet

  def ticks(tick: Long): Unit = {
    assert(tick >= this.tick, s"time went back from ${this.tick} to $tick")
    this.tick = tick
  }
  def comes(row: Incoming): Unit = now = row
  def meets(row: Int): Unit = assert(stored.contains(row), s"row $row is met and not stored")
  def rejects(row: Int): Unit = assert(stored.contains(row), s"row $row is rejected and not stored")

  def inTheWay(row: Incoming): Int = {
    val value = store.outside().value
    if (isTooLarge(value)) Keeper.PassOn
    else if (wantsRoom(value) && stored.size >= capacity) smallest
    else NoRow
  }

  def stored(row: Int, matches: Int): Unit = stored(row) = store.row(row).value

  def passes(row: Incoming, why: Departure): Unit = if (why == Departure.TooLarge) shedKeys += row.key

  def victim(): Int = if (stored.size > capacity) smallest else NoRow

  def goes(row: Int, why: Departure): Unit = {
    assert(stored.remove(row).isDefined, s"row $row goes and is not stored")
    if (why == Departure.Shed) {
      shedKeys += store.row(row).key
      stored.keys.foreach(other => assert(!isDead(store.row(other)), s"$row is shed while $other is dead"))
    }
  }

  private def isDead(row: MovingStore.Row): Boolean =
    row.time <= shape.bound(row.side) && row.time < shape.reach(Side.other(row.side)).earliest(now.time)

  def isCertain(row: Int): Boolean = !shedKeys(store.row(row).key)
  def isCertainNow(row: Incoming): Boolean = !shedKeys(row.key)

  private def smallest: Int = stored.minBy { case (_, value) => (scattered(value), value) }._1
}

object SmallestGoes {
  def scattered(value: Int): Int = value * 37 % 101
  def isTooLarge(value: Int): Boolean = value % 11 == 0
  def wantsRoom(value: Int): Boolean = value % 7 == 0
}
