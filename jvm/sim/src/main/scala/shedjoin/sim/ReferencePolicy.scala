package shedjoin.sim

import java.io.{DataInput, DataOutput}

import shedjoin.core.NoRow
import shedjoin.core.policy.{RowFacts, ShedPolicy}

/** A policy that lives in the simulator alone: it knows what comes, or it scans all rows. */
trait ReferencePolicy {

  /** The policy over the rows of a run, whose places `placeOf` tells. */
  def over(rows: RowFacts, placeOf: Int => Int): ShedPolicy
}

/** A policy that ends with its run, and is not saved. */
abstract private[sim] class RunPolicy extends ShedPolicy {
  private var now = Long.MinValue

  protected def tick: Long = now

  def advance(tick: Long): Unit = now = tick
  def observed(side: Int, value: Long): Unit = ()
  def matched(row: Int): Unit = ()
  def checkInvariants(): Unit = ()

  def save(out: DataOutput): Unit = throw new UnsupportedOperationException("a policy of the simulator is not saved")
  def restore(in: DataInput): Unit = throw new UnsupportedOperationException("a policy of the simulator is not saved")
}

/** Sheds the row of least rank, where whoever knows the future says what the ranks are when a row comes and is matched.
  *
  * Representation: an ordered set of (rank, row). O(log rows).
  */
final private[sim] class ForesightPolicy(rank: (Int, Long) => Long) extends RunPolicy {
  private val rows = new java.util.TreeSet[(Long, Int)](Ordering[(Long, Int)])
  private val ranks = new java.util.HashMap[Int, Long]

  def arrived(row: Int, matches: Int): Unit = {
    val now = rank(row, tick)
    ranks.put(row, now)
    rows.add((now, row))
    ()
  }

  override def matched(row: Int): Unit = {
    removed(row)
    arrived(row, 1)
  }

  def removed(row: Int): Unit = {
    rows.remove((ranks.remove(row), row))
    ()
  }

  def nextVictim(): Int = if (rows.isEmpty) NoRow else rows.first._2
}
