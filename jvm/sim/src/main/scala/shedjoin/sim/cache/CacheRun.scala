package shedjoin.sim.cache

import scala.collection.mutable

import shedjoin.core.NoRow
import shedjoin.core.join.Side

/** A cache of a relation's rows under a stream of references, one a tick (paper 3, sections 3 and 7): whatever is not there
  * is fetched, and may be cached from then on.
  *
  * A policy is told of a hit as of a match, and, when a row is fetched, of all references that it has had: those that found
  * it, and those for which it was fetched. O(log rows) a reference, as the policy.
  */
final class CacheRun(
    references: Array[Long],
    rows: Int,
    policyName: String,
    settings: Map[String, String],
    seed: Long
) {
  private val cached = new CachedRows
  private val policy = CachePolicies.make(policyName, settings, references, cached, seed)
  private val timesUsed = mutable.LongMap.empty[Int]
  private var done = 0

  /** 1 for each reference that was a hit. */
  val hits: Array[Byte] = new Array[Byte](references.length)

  /** How many references were taken so far. */
  def referencesDone: Int = done

  /** Goes on for about so long, or to the end. */
  def run(millis: Long): Unit = {
    val until = System.nanoTime + millis * 1000000
    var isTime = true
    while (done < references.length && isTime) {
      val end = math.min(done + CacheRun.ReferencesALook, references.length)
      while (done < end) step()
      isTime = System.nanoTime < until
    }
  }

  private def step(): Unit = {
    val value = references(done)
    val used = timesUsed.getOrElse(value, 0) + 1
    timesUsed(value) = used
    policy.advance(done.toLong)
    policy.observed(Side.Left, value)
    val row = cached.find(value)
    if (row == NoRow) fetch(value, used)
    else {
      hits(done) = 1
      policy.matched(row)
    }
    done += 1
  }

  private def fetch(value: Long, used: Int): Unit = {
    policy.arrived(cached.add(value, done.toLong), used)
    if (cached.count > rows) {
      val victim = policy.nextVictim()
      policy.removed(victim)
      cached.remove(victim)
    }
  }
}

private object CacheRun {
  private val ReferencesALook = 1024
}
