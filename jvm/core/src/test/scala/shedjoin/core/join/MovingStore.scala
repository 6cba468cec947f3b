package shedjoin.core.join

import scala.collection.mutable

import shedjoin.core.NoRow

/** A store whose rows move whenever it may need memory: every address it gave before is worthless then. */
final class MovingStore extends RowStore with StagedRows {
  import MovingStore._

  private val staged = mutable.ArrayBuffer.empty[Row]
  private val rows = mutable.ArrayBuffer.empty[Row]
  private val gone = mutable.Set.empty[Int]
  private val places = mutable.ArrayBuffer.empty[(Int, Row)]
  private var moves = 0
  private var stood = 0
  private var oldRows = 0
  private var latest = Long.MinValue

  /** The row that joins now, where it lies outside of the store. */
  var outside: () => Row = () => throw new AssertionError("no row lies outside")

  def stage(row: Row): Unit = staged += row

  /** The row at an address that is still good. */
  def at(address: Int): Row = {
    val (move, row) = places(address)
    assert(move == moves, s"the row ${row.value} has moved since its address was asked for")
    row
  }

  def row(id: Int): Row = rows(id)

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

  def standAt(place: Int): Unit = stood = place
  def stagedKey: Int = staged(stood).key
  def stagedTime: Long = staged(stood).time
  def stagedAddress: Int = addressOf(staged(stood))

  def tickAt(time: Long): Long = {
    if (time != JoinShape.NoTime) latest = math.max(latest, time)
    latest
  }

  def store(side: Int, matched: Boolean): Int = store(staged(stood), side, matched)

  def store(row: Row, side: Int, matched: Boolean): Int = {
    move()
    rows += row
    row.side = side
    row.matched = matched
    rows.size - 1
  }

  /** What is stored from now on is fresh. */
  def begin(): Unit = oldRows = rows.size
  def isFresh(row: Int): Boolean = row >= oldRows

  def discard(): Unit = move()
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

    /** The same row, stored nowhere. */
    def copy: Row = new Row(key, time, value)
  }
}
