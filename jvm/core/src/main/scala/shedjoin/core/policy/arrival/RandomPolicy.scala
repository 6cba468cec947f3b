package shedjoin.core.policy.arrival

import java.io.{DataInput, DataOutput}

import shedjoin.core.collection.IntTable
import shedjoin.core.policy.ShedPolicy
import shedjoin.core.{Budget, Mixer, NoRow}

/** Sheds any stored row, each as likely as any other: RAND. O(1) for everything.
  *
  * Representation: the ids of the stored rows side by side in any order, and the place of each. Which one goes is a
  * function of the seed and of how often rows came and went.
  */
final private[policy] class RandomPolicy(seed: Long, budget: Budget) extends ShedPolicy {
  private val ids = new IntTable(1, budget)
  private val places = new IntTable(1, budget)
  private var count = 0
  private var changes = 0L

  def advance(tick: Long): Unit = ()
  def observed(side: Int, value: Long): Unit = ()
  def matched(row: Int): Unit = ()

  def arrived(row: Int, matches: Int): Unit = {
    ids.ensure(count + 1)
    places.ensure(row + 1)
    put(count, row)
    count += 1
    changes += 1
  }

  def removed(row: Int): Unit = {
    count -= 1
    put(places(row, 0), ids(count, 0))
    changes += 1
  }

  def nextVictim(): Int =
    if (count == 0) NoRow else ids((((Mixer.at(seed, changes) >>> 32) * count) >>> 32).toInt, 0)

  private def put(place: Int, row: Int): Unit = {
    ids(place, 0) = row
    places(row, 0) = place
  }

  def save(out: DataOutput): Unit = {
    out.writeLong(changes)
    out.writeInt(count)
    (0 until count).foreach(place => out.writeInt(ids(place, 0)))
  }

  def restore(in: DataInput): Unit = {
    val saved = in.readLong()
    (0 until in.readInt()).foreach(_ => arrived(in.readInt(), 0))
    changes = saved
  }

  def checkInvariants(): Unit =
    (0 until count).foreach(place => assert(places(ids(place, 0), 0) == place, s"row ${ids(place, 0)} at $place"))
}
