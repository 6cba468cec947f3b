package shedjoin.core.policy

import java.io.{DataInput, DataOutput}

/** Says which stored row is to be shed next.
  *
  * The engine tells it everything that happens, in canonical order, and a victim as a row removed. What it decides
  * follows from that alone. A row is known by the id that the state gave it; its facts are asked of the state and do not
  * change while it is stored.
  *
  * Costs, unless a policy says otherwise: O(log rows) for a row stored, matched, removed or asked for, O(1) for the rest,
  * and for time O(log rows) for each pair of rows whose order turns. Nothing is allocated but what the budget counts.
  */
trait ShedPolicy {

  /** Time has come to `tick`; it never goes back. The first thing a policy is told. */
  def advance(tick: Long): Unit

  /** A row of `side` with this join attribute came, to be stored or not. */
  def observed(side: Int, value: Long): Unit

  /** A row was stored that met `matches` partners when it came. Throws [[shedjoin.core.BudgetExceeded]] with everything
    * as it was.
    */
  def arrived(row: Int, matches: Int): Unit

  /** A stored row met a partner that came now. */
  def matched(row: Int): Unit

  /** A stored row is about to go: shed, expired or else. Its facts can still be asked. */
  def removed(row: Int): Unit

  /** The next row to shed, or `NoRow` if none is stored; the same one until something happens. */
  def nextVictim(): Int

  /** Writes all that the next decisions depend on. O(rows). */
  def save(out: DataOutput): Unit

  /** Takes up what was saved, where nothing happened yet and the same rows are stored. O(rows log rows). */
  def restore(in: DataInput): Unit

  def checkInvariants(): Unit
}
