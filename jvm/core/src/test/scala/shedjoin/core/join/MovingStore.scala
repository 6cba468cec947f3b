package shedjoin.core.join

import scala.collection.mutable

import shedjoin.core.NoRow

/** A store whose rows move whenever it may need memory: every address it gave before is worthless then. */
final class MovingStore extends JoinStore {
  import MovingStore._

  private val staged = mutable.ArrayBuffer.empty[Row]
  private val rows = mutable.ArrayBuffer.empty[Row]
  private val gone = mutable.Set.empty[Int]
  private val places = mutable.ArrayBuffer.empty[(Int, Row)]
  private var moves = 0

  def stage(row: Row): Unit = staged += row

  /** The row at an address that is still good. */
  def at(address: Int): Row = {
    val (move, row) = places(address)
    assert(move == moves, s"the row ${row.value} has moved since its address was asked for")
    row
  }

  def content: Seq[(Row, Boolean)] = rows.indices.filterNot(gone).map(id => (rows(id), rows(id).matched))

  private def move(): Unit = moves += 1

  private def addressOf(row: Row): Int = {
    places += ((moves, row))
    places.size - 1
  }

  def arrange(): Int = {
    staged.sortInPlaceBy(row => (row.time, row.value))
    staged.size
  }

  def readAhead(from: Int, until: Int, probed: Int): Unit =
    assert(0 <= from && from < until && until <= staged.size, s"told of $from to $until of ${staged.size}")

  def stagedKey(place: Int): Int = staged(place).key
  def stagedTime(place: Int): Long = staged(place).time
  def stagedAddress(place: Int): Int = addressOf(staged(place))

  def store(place: Int, side: Int, matched: Boolean): Unit = {
    move()
    rows += staged(place)
    rows.last.side = side
    rows.last.matched = matched
  }

  def discard(place: Int): Unit = move()
  def clearStaged(): Unit = staged.clear()

  private def chain(key: Int, side: Int): Seq[Int] =
    rows.indices
      .filter(id => !gone(id) && rows(id).key == key && rows(id).side == side)
      .sortBy(id => (rows(id).time, id))

  def lastUpTo(key: Int, side: Int, time: Long): Int =
    chain(key, side).filter(rows(_).time <= time).lastOption.getOrElse(NoRow)

  def previous(row: Int): Int = {
    val all = chain(rows(row).key, rows(row).side)
    all.lift(all.indexOf(row) - 1).getOrElse(NoRow)
  }

  def time(row: Int): Long = rows(row).time
  def address(row: Int): Int = addressOf(rows(row))
  def isMatched(row: Int): Boolean = rows(row).matched

  def markMatched(row: Int): Unit = {
    move()
    rows(row).matched = true
  }

  def remove(row: Int): Unit = {
    move()
    assert(gone.add(row), s"row $row removed twice")
  }

  def firstExpired(side: Int, bound: Long): Int =
    rows.indices.find(id => !gone(id) && rows(id).side == side && rows(id).time <= bound).getOrElse(NoRow)
}

object MovingStore {
  final class Row(val key: Int, val time: Long, val value: Int) {
    var side: Int = Side.Left
    var matched = false
  }
}
