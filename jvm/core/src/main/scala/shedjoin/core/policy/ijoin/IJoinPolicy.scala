package shedjoin.core.policy.ijoin

import java.io.{DataInput, DataOutput}

import shedjoin.core.collection.{ArrivalEnds, FirstRowListener, GroupFirsts, RowOrder, Tournament}
import shedjoin.core.policy.{RowFacts, TabledPolicy, TieOrder}
import shedjoin.core.{Budget, NoRow}

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
  * So mature rows that met nothing are not ranked: those that pay a penalty go by when they came, the others are equals.
  * Only rows that met something are weighed against each other. How long two of these keep their order, while both stay as
  * productive as they are: the decay is common to both, so without penalties, or with equal ones, the order of x / age turns
  * at a tick that a division gives. Else no rank rises, once what both lose in penalties is left out, and the one is taken to
  * stay above where the other is now.
  *
  * Nor are all of these ranked, only those that may be the least. A row is worth more than what it pays, which follows from
  * its last match. So rows that are not ranked lie by when they were matched last, or by when they came, which is no later,
  * and as long as the first one may go before the victim known so far, it is ranked.
  *
  * A row costs O(1) where rows come in order of life left, and so does a match of one that is not ranked. A row is ranked
  * once a match at most; that costs O(log ranked rows), and as much when it is matched or goes, and for each match of the
  * tournament that time may have turned. Where rows go that are worth something all may be ranked, those that came before at
  * the first such victim.
  */
final private[policy] class IJoinPolicy(settings: IJoinSettings, facts: RowFacts, budget: Budget)
    extends TabledPolicy(facts, IJoinPolicy.Stride, budget) {
  import IJoinPolicy._
  import RowOrder.Forever
  import settings._

  /** By when they came: the rows that are not mature; those mature that met nothing and are productive, of which the older
    * ones are tied; those that are not productive.
    */
  private val unripe = new ArrivalEnds(new TieOrder(facts), budget)
  private val waiting = unripe.another
  private val tied = unripe.another
  private val idle = unripe.another

  /** The tied rows again, which all have the initial priority, as equals go. */
  private val equals = new GroupFirsts(new TieOrder(facts), FirstRowListener.Untold, budget)
  equals.ensureGroup(Equals)

  /** The mature rows that met something: those ranked; those that are not, by when they came, and by when they were matched
    * last, if they were when they were mature.
    */
  private[ijoin] val priorities: RowOrder = new Priorities
  private val ranked = new Tournament(priorities, budget)
  private val ripened = unripe.another
  private val renewed = unripe.another

  /** The order of mature rows. */
  final private class Priorities extends TieOrder(facts) {
    override def isEarlier(a: Int, b: Int): Boolean = precedes(a, b)
    override def holdsUntil(first: Int, second: Int): Long = {
      val change = math.min(nextChange(first), nextChange(second))
      math.min(change, if (fallAlike(first, second)) turnOfShares(first, second) else turnOfPenalties(first, second))
    }
  }

  /** Of two mature rows. Where both came at once, their ages are left out, lest products be rounded to equals now and then. */
  private def precedes(a: Int, b: Int): Boolean =
    if (!fallAlike(a, b)) goesFirst(a, 0, b, lead(a, b))
    else if (arrival(a) == arrival(b)) goesFirst(a, gain(a, b), b, gain(b, a))
    else goesFirst(a, gain(a, b) * age(b), b, gain(b, a) * age(a))

  /** When a row becomes unproductive. */
  private def nextChange(row: Int): Long = if (penalty > 0 && isProductive(row)) lastMatch(row) + patience else Forever

  /** Whether both lose the same in penalties, and decay by the same factor. */
  private def fallAlike(a: Int, b: Int): Boolean = payAlike(a, b) && (initial == 0 || isUnmet(a) == isUnmet(b))

  private def payAlike(a: Int, b: Int): Boolean =
    if (isProductive(a)) isProductive(b) else !isProductive(b) && lastMatch(a) == lastMatch(b)

  /** When low / (age + s) overtakes high / (age + s). */
  private def turnOfShares(first: Int, second: Int): Long = {
    val low = gain(first, second)
    val high = gain(second, first)
    if (low <= high) Forever else after((high * age(first) - low * age(second)) / (low - high))
  }

  /** The tick after so many, but for rounding errors, and not too far off. */
  private def after(ticks: Double): Long =
    tick + math.max(1, math.min(Longest, math.floor(ticks * (1 - RoundingError)).toLong))

  /** Until when `second` stays above where `first` is now, what both pay left out: in s ticks the share of `second` falls to
    * no less than exp(-s (decay + 1 / age)) of itself, and so to no less than 1 - s (decay + 1 / age); where it alone pays, its
    * penalty grows too.
    */
  private def turnOfPenalties(first: Int, second: Int): Long = {
    val falls = decay + 1.0 / age(second)
    val above = share(second)
    val ahead = lead(first, second)
    if (isProductive(first)) after(ahead / (above * falls + penalty))
    else if (ahead >= above) Forever
    else after(-math.log1p(-ahead / above) / falls)
  }

  /** Importance x matches, decayed to the later of both rows' last matches: times a factor common to both. */
  private def gain(row: Int, other: Int): Double =
    gain(row) * math.exp(-decay * math.max(0, lastMatch(other) - lastMatch(row)))

  /** How far the priority of `second` is above that of `first`. */
  private def lead(first: Int, second: Int): Double =
    share(second) - share(first) + penalty * (paid(first) - paid(second))

  /** Importance x decayed matches / age. */
  private def share(row: Int): Double =
    if (isUnmet(row)) initial else gain(row) * math.exp(-decay * (tick - lastMatch(row))) / age(row)

  private def paid(row: Int): Long = paidSince(lastMatch(row))
  private def paidSince(met: Long): Long = if (isProductiveSince(met)) 0 else tick - met

  /** Importance x matches, where less than nothing is nothing. */
  private def gain(row: Int): Double = math.max(0, facts.importance(row)) * getDouble(row, Matches)
  private def arrival(row: Int): Long = cells.getLong(row, Arrival)
  private def lastMatch(row: Int): Long = cells.getLong(row, LastMatch)
  private def age(row: Int): Long = tick - arrival(row)
  private def isUnmet(row: Int): Boolean = getDouble(row, Matches) == 0
  private def isMature(row: Int): Boolean = age(row) > maturity

  /** Where there are no penalties all rows count as such. */
  private def isProductive(row: Int): Boolean = isProductiveSince(lastMatch(row))
  private def isProductiveSince(met: Long): Boolean = penalty == 0 || tick - met < patience

  def matched(row: Int): Unit = {
    val isMoved = isMature(row) && !(cells(row, Place) == Renewed && lastMatch(row) == tick)
    if (isMoved) leave(row)
    putDouble(row, Matches, getDouble(row, Matches) * math.exp(-decay * (tick - lastMatch(row))) + 1)
    cells.putLong(row, LastMatch, tick)
    if (isMoved) enterMet(row, Renewed)
  }

  def nextVictim(): Int = {
    val unmet = firstUnmet()
    var best = firstOf(ranked.first, unmet)
    var rival = rivalOf(best)
    while (rival != NoRow) {
      leaveMet(rival)
      rank(rival)
      best = firstOf(ranked.first, unmet)
      rival = rivalOf(best)
    }
    if (best == NoRow) unripe.firstOfNewest else best
  }

  /** The victim of those that met nothing. Those that wait are tied as soon as one of them may be it. */
  private def firstUnmet(): Int =
    if (idle.firstOfOldest != NoRow) idle.firstOfOldest
    else {
      while (waiting.firstOfOldest != NoRow) tie(waiting.firstOfOldest)
      equals.first(Equals)
    }

  private def tie(row: Int): Unit = {
    waiting.remove(row)
    putLast(tied, row)
    equals.put(row, Equals)
    cells(row, Place) = Tied
  }

  private def firstOf(a: Int, b: Int): Int = if (b == NoRow || a != NoRow && precedes(a, b)) a else b

  /** A row that is not ranked and may come before `best`, or `NoRow`. */
  private def rivalOf(best: Int): Int = {
    val lastRenewed = renewed.firstOfOldest
    val lastRipened = ripened.firstOfOldest
    if (lastRenewed != NoRow && mayPrecede(lastMatch(lastRenewed), best)) lastRenewed
    else if (lastRipened != NoRow && mayPrecede(arrival(lastRipened), best)) lastRipened
    else NoRow
  }

  /** Whether a row last matched at `met`, or later, that is worth something may come before `best`. */
  private def mayPrecede(met: Long, best: Int): Boolean =
    best == NoRow || penalty * (paid(best) - paidSince(met)) - share(best) < 0

  protected def ensureRoom(row: Int): Unit = {
    unripe.ensureRoom(row)
    equals.ensureRoom(row)
    ranked.ensureRoom(row)
  }

  protected def noteArrival(row: Int, matches: Int): Unit = {
    putDouble(row, Matches, matches.toDouble)
    cells.putLong(row, Arrival, tick)
    cells.putLong(row, LastMatch, tick)
    cells(row, Place) = Listed
    putLast(unripe, row)
  }

  /** Puts a row among those that go by when they came, all of which came before it. */
  private def putLast(rows: ArrivalEnds, row: Int): Unit = {
    val newest = rows.firstOfNewest
    if (newest != NoRow && arrival(newest) != arrival(row)) rows.close()
    rows.put(row)
  }

  /** A row that is in one of the lists is put where it is beside that, or instead. */
  protected def enter(row: Int): Unit = {
    val place = cells(row, Place)
    if (place == Ranked) ranked.add(row) else if (place == Tied) equals.put(row, Equals)
  }

  /** Puts a mature row that met something where it is found when it may go. What is worth nothing always is. */
  private def enterMet(row: Int, place: Int): Unit =
    if (gain(row) > 0) {
      val rows = listed(place)
      rows.close()
      rows.put(row)
      cells(row, Place) = place
    } else rank(row)

  private def rank(row: Int): Unit = {
    ranked.add(row)
    cells(row, Place) = Ranked
  }

  protected def leave(row: Int): Unit =
    if (!isMature(row)) unripe.remove(row) else if (isUnmet(row)) leaveUnmet(row) else leaveMet(row)

  private def leaveMet(row: Int): Unit = {
    val place = cells(row, Place)
    if (place == Ranked) ranked.remove(row) else listed(place).remove(row)
  }

  private def listed(place: Int): ArrivalEnds = if (place == Renewed) renewed else ripened

  private def leaveUnmet(row: Int): Unit = if (isProductive(row)) stopWaiting(row) else idle.remove(row)

  private def stopWaiting(row: Int): Unit =
    if (cells(row, Place) != Tied) waiting.remove(row)
    else {
      tied.remove(row)
      equals.remove(row)
    }

  override protected def timeMoved(): Unit = {
    ranked.advance(tick)
    tireAll(tied)
    tireAll(waiting)
    while (unripe.firstOfOldest != NoRow && isMature(unripe.firstOfOldest)) ripen(unripe.firstOfOldest)
  }

  private def tireAll(rows: ArrivalEnds): Unit =
    while (rows.firstOfOldest != NoRow && !isProductive(rows.firstOfOldest)) tire(rows.firstOfOldest)

  private def tire(row: Int): Unit = {
    stopWaiting(row)
    cells(row, Place) = Listed
    putLast(idle, row)
  }

  private def ripen(row: Int): Unit = {
    unripe.remove(row)
    if (!isUnmet(row)) enterMet(row, Ripened) else putLast(if (isProductive(row)) waiting else idle, row)
  }

  override protected def saveModel(out: DataOutput): Unit = lists.foreach(_.save(out))
  override protected def restoreModel(in: DataInput): Unit = lists.foreach(_.restore(in))
  private def lists = Seq(unripe, waiting, tied, idle, ripened, renewed)

  override def checkInvariants(): Unit = {
    super.checkInvariants()
    equals.checkInvariants()
    ranked.checkInvariants()
    check(unripe, arrival)(!isMature(_))
    check(waiting, arrival)(row => isWaiting(row) && cells(row, Place) == Listed)
    check(tied, arrival)(row => isWaiting(row) && cells(row, Place) == Tied)
    check(idle, arrival)(row => isMature(row) && isUnmet(row) && !isProductive(row))
    check(ripened, arrival)(isListed(_, Ripened))
    check(renewed, lastMatch)(isListed(_, Renewed))
  }

  private def isWaiting(row: Int): Boolean = isMature(row) && isUnmet(row) && isProductive(row)
  private def isListed(row: Int, place: Int): Boolean = isMature(row) && gain(row) > 0 && cells(row, Place) == place

  private def check(list: ArrivalEnds, order: Int => Long)(isMeant: Int => Boolean): Unit = {
    list.checkInvariants()
    val rows = Iterator.iterate(list.firstOfOldest)(list.after).takeWhile(_ != NoRow).toSeq
    rows.foreach(row => assert(isMeant(row), s"row $row is in another list than it should be"))
    rows.zip(rows.drop(1)).foreach { case (a, b) => assert(order(a) <= order(b), s"row $b after $a") }
  }
}

private object IJoinPolicy {
  private val Stride = 8
  private val Matches = 0
  private val Arrival = 2
  private val LastMatch = 4
  private val Place = 6

  /** Where a row is: tied; where it is mature and met something, one of the others; else in the list of its kind. */
  private val Listed = 0
  private val Tied = 1
  private val Ripened = 2
  private val Renewed = 3
  private val Ranked = 4

  /** The one group of equals. */
  private val Equals = 0

  /** The longest time that is waited for a turn without another look. */
  private val Longest = 1L << 40

  /** More than a turn's rounding errors come to. */
  private val RoundingError = 1e-9
}
