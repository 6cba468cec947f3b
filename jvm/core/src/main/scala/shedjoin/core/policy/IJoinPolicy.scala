package shedjoin.core.policy

import shedjoin.core.Budget
import shedjoin.core.collection.{RowRanking, Tournament}

/** How iJoin weighs rows; times in ticks.
  *
  * @param maturity no row is shed up to this age, as long as there are older ones
  * @param patience a row that met nothing for so long is unproductive
  * @param penalty what each tick without a match then costs a row
  * @param decay how fast a match is forgotten, a tick
  * @param initial the priority of a row that met nothing yet (section 4.3)
  */
final case class IJoinSettings(maturity: Long, patience: Long, penalty: Double, decay: Double, initial: Double)

/** Sheds the mature row of least residence priority: IJOIN (paper 2, sections 4.3 to 4.7), recomputed at every victim.
  *
  * The priority is own importance x decayed matches / age, less a penalty that grows with the time since the last match.
  * Where no row is mature the newcomer goes. A row never matched has the initial priority, less the penalty, and was last
  * matched when it came.
  *
  * How long two rows keep their order, while both stay as mature and as productive as they are: the decay is common to
  * both, so without penalties, or with equal ones, the order of x / age turns at a tick that a division gives. Else no
  * rank rises, once what both lose in penalties is left out, and a time is sought, doubled from one tick on, at whose end
  * the one is still above where the other was.
  */
final private[policy] class IJoinPolicy(settings: IJoinSettings, facts: RowFacts, budget: Budget)
    extends TabledPolicy(facts, IJoinPolicy.Stride, budget)
    with RowRanking {
  import IJoinPolicy._
  import RowRanking.Forever
  import settings._

  private val rows = new Tournament(this, budget)

  def precedes(a: Int, b: Int): Boolean = {
    val mature = isMature(a)
    if (mature != isMature(b)) mature
    else if (!mature) goesFirst(a, -arrival(a).toDouble, b, -arrival(b).toDouble)
    else if (fallAlike(a, b)) goesFirst(a, gain(a, b) * age(b), b, gain(b, a) * age(a))
    else goesFirst(a, 0, b, lead(a, b, 0))
  }

  def holdsUntil(first: Int, second: Int): Long = {
    val change = math.min(nextChange(first), nextChange(second))
    if (!isMature(first) || !isMature(second)) change
    else if (fallAlike(first, second)) math.min(change, turnOfShares(first, second))
    else math.min(change, turnOfPenalties(first, second, change))
  }

  /** When a row becomes mature or unproductive, or its age begins to count. */
  private def nextChange(row: Int): Long = {
    val ripe = later(arrival(row) + maturity + 1)
    val unproductive = later(lastMatch(row) + patience)
    math.min(math.min(ripe, unproductive), later(arrival(row) + 1))
  }

  private def later(time: Long): Long = if (time > tick) time else Forever

  /** Whether both lose the same in penalties, and decay by the same factor. */
  private def fallAlike(a: Int, b: Int): Boolean = payAlike(a, b) && (initial == 0 || isUnmet(a) == isUnmet(b))

  private def payAlike(a: Int, b: Int): Boolean =
    penalty == 0 || (if (isProductive(a)) isProductive(b) else !isProductive(b) && lastMatch(a) == lastMatch(b))

  /** When low / (age + s) overtakes high / (age + s). */
  private def turnOfShares(first: Int, second: Int): Long = {
    val low = gain(first, second)
    val high = gain(second, first)
    if (low <= high) Forever
    else {
      val ticks = (high * age(first) - low * age(second)) / (low - high)
      tick + math.max(1, math.floor(ticks * (1 - RoundingError)).toLong)
    }
  }

  private def turnOfPenalties(first: Int, second: Int, change: Long): Long = {
    var safe = 0L
    var next = 1L
    while (safe < change - tick && next <= Longest && lead(first, second, next) > 0) {
      safe = next
      next *= 2
    }
    tick + safe + 1
  }

  /** Importance x matches, decayed to the later of both rows' last matches: times a factor common to both. */
  private def gain(row: Int, other: Int): Double =
    gain(row) * math.exp(-decay * math.max(0, lastMatch(other) - lastMatch(row)))

  /** How far `second` will be above `first` at least, over the next `ticks`: exactly how far it is now for 0 ticks. What
    * both pay is left out, and only where one pays does it grow.
    */
  private def lead(first: Int, second: Int, ticks: Long): Double = {
    val growing = if (isProductive(first) && !isProductive(second)) ticks else 0
    share(second, ticks) - share(first, 0) + penalty * (paid(first) - paid(second) - growing)
  }

  /** Importance x decayed matches / age, `ticks` from now. */
  private def share(row: Int, ticks: Long): Double =
    if (isUnmet(row)) initial
    else gain(row) * math.exp(-decay * (tick - lastMatch(row) + ticks)) / (age(row) + ticks)

  private def paid(row: Int): Long = if (isProductive(row)) 0 else tick - lastMatch(row)

  private def gain(row: Int): Double = facts.importance(row) * getDouble(row, Matches)
  private def arrival(row: Int): Long = cells.getLong(row, Arrival)
  private def lastMatch(row: Int): Long = cells.getLong(row, LastMatch)

  /** At least one tick, so that a row can be divided by its age. */
  private def age(row: Int): Long = math.max(1, tick - arrival(row))
  private def isUnmet(row: Int): Boolean = getDouble(row, Matches) == 0
  private def isMature(row: Int): Boolean = tick - arrival(row) > maturity
  private def isProductive(row: Int): Boolean = tick - lastMatch(row) < patience

  def matched(row: Int): Unit = {
    putDouble(row, Matches, getDouble(row, Matches) * math.exp(-decay * (tick - lastMatch(row))) + 1)
    cells.putLong(row, LastMatch, tick)
    rows.changed(row)
  }

  def nextVictim(): Int = rows.first

  protected def ensureRoom(row: Int): Unit = rows.ensureRoom(row)
  protected def noteArrival(row: Int, matches: Int): Unit = {
    putDouble(row, Matches, matches.toDouble)
    cells.putLong(row, Arrival, tick)
    cells.putLong(row, LastMatch, tick)
  }
  protected def enter(row: Int): Unit = rows.add(row)
  protected def leave(row: Int): Unit = rows.remove(row)
  override protected def timeMoved(): Unit = rows.advance(tick)

  override def checkInvariants(): Unit = {
    super.checkInvariants()
    rows.checkInvariants()
  }
}

private object IJoinPolicy {
  private val Stride = 8
  private val Matches = 0
  private val Arrival = 2
  private val LastMatch = 4

  /** No longer time is sought at once. */
  private val Longest = 1L << 40

  /** More than a turn's rounding errors come to. */
  private val RoundingError = 1e-9
}
