package shedjoin.core.policy

import java.io.{DataInput, DataOutput}

import shedjoin.core.Budget
import shedjoin.core.collection.{IdSet, IntTable}

/** A policy that keeps `stride` ints a stored row, or none, and the rows in some order.
  *
  * It takes care of which rows are stored, of time, and of saving both.
  */
abstract private[policy] class TabledPolicy(facts: RowFacts, stride: Int, budget: Budget) extends ShedPolicy {
  protected val cells = new IntTable(math.max(1, stride), budget)
  private val stored = new IdSet(budget)
  private var now = Long.MinValue

  protected def tick: Long = now

  /** How many rows are stored, and whether this one is. */
  def count: Int = stored.count
  protected def isStored(row: Int): Boolean = stored.contains(row)

  /** Makes room in the order of the rows. */
  protected def ensureRoom(row: Int): Unit

  /** Notes what is kept of a row that came now. */
  protected def noteArrival(row: Int, matches: Int): Unit

  /** Puts a row of which that was noted into order, if that did not, and takes it out. */
  protected def enter(row: Int): Unit
  protected def leave(row: Int): Unit

  /** Writes what is kept of a row; reads it, and puts the row into order. */
  protected def saveRow(row: Int, out: DataOutput): Unit =
    (0 until stride).foreach(field => out.writeInt(cells(row, field)))

  protected def restoreRow(row: Int, in: DataInput): Unit = {
    (0 until stride).foreach(field => cells(row, field) = in.readInt())
    enter(row)
  }

  protected def timeMoved(): Unit = ()
  protected def saveModel(out: DataOutput): Unit = ()
  protected def restoreModel(in: DataInput): Unit = ()

  final def advance(tick: Long): Unit = {
    if (tick < now) throw new AssertionError(s"time goes back from $now to $tick")
    if (tick > now) {
      now = tick
      timeMoved()
    }
  }

  def observed(side: Int, value: Long): Unit = ()

  final def arrived(row: Int, matches: Int): Unit = {
    makeRoom(row)
    stored.put(row)
    noteArrival(row, matches)
    enter(row)
  }

  final def removed(row: Int): Unit = {
    stored.remove(row)
    leave(row)
  }

  final def save(out: DataOutput): Unit = {
    out.writeLong(now)
    saveModel(out)
    out.writeInt(count)
    var row = 0
    while (row < stored.bound) {
      if (stored.contains(row)) {
        out.writeInt(row)
        saveRow(row, out)
      }
      row += 1
    }
  }

  final def restore(in: DataInput): Unit = {
    now = in.readLong()
    restoreModel(in)
    (0 until in.readInt()).foreach { _ =>
      val row = in.readInt()
      makeRoom(row)
      stored.put(row)
      restoreRow(row, in)
    }
  }

  private def makeRoom(row: Int): Unit = {
    stored.ensureRoom(row)
    if (stride > 0) cells.ensure(row + 1)
    ensureRoom(row)
  }

  protected def getDouble(row: Int, field: Int): Double = java.lang.Double.longBitsToDouble(cells.getLong(row, field))

  protected def putDouble(row: Int, field: Int, value: Double): Unit =
    cells.putLong(row, field, java.lang.Double.doubleToLongBits(value))

  /** Whether `a` goes before `b`, by rank and then as rows of equal rank do. */
  protected def goesFirst(a: Int, rankA: Double, b: Int, rankB: Double): Boolean =
    rankA < rankB || rankA == rankB && facts.compareTied(a, b) < 0

  def checkInvariants(): Unit = stored.checkInvariants()
}
