package shedjoin.sim

import scala.collection.mutable

import shedjoin.core.NoRow
import shedjoin.core.policy.{RowFacts, ShedPolicy}

/** When iJoin's reference computes priorities (paper 2, section 4.8). */
sealed abstract class Recomputing {

  /** Asked at each decision, with the importance found in the latest steps. */
  def isDue(quality: Double): Boolean
}

object Recomputing {
  final class Successive extends Recomputing {
    def isDue(quality: Double): Boolean = true
  }

  final class EveryKth(k: Int) extends Recomputing {
    private var decisions = 0
    def isDue(quality: Double): Boolean = {
      decisions += 1
      decisions % k == 1 || k == 1
    }
  }

  /** Where the quality has moved by more than the part `epsilon` of what it was when they were last computed. */
  final class Adaptive(epsilon: Double) extends Recomputing {
    private var atLast = Double.NaN
    def isDue(quality: Double): Boolean = {
      val due = atLast.isNaN || math.abs(quality - atLast) > epsilon * atLast
      if (due) atLast = quality
      due
    }
  }
}

/** Algorithm 2 of paper 2 as it stands there: at each decision it looks at every row. For one run of a stepwise trace. */
final class IJoinReference(recomputing: Recomputing) extends ReferencePolicy {
  private var made = Option.empty[IJoinReference.Scanning]

  /** How often priorities were computed, and how often there was a decision. */
  def computed: Int = made.fold(0)(_.computed)
  def decisions: Int = made.fold(0)(_.decisions)

  def over(rows: RowFacts, placeOf: Int => Int): ShedPolicy = {
    val policy = new IJoinReference.Scanning(rows, recomputing)
    made = Some(policy)
    policy
  }
}

object IJoinReference {
  private val maturity = 2
  private val span = 10
  private val patience = 3
  private val penalty = 1.0
  private val decay = 0.5

  final private class Known(val row: Int, val arrival: Long, var matches: Double) {
    var lastMatch = arrival
    var priority = 0.0
  }

  final private class Scanning(rows: RowFacts, recomputing: Recomputing) extends RunPolicy {
    private val stored = mutable.Map.empty[Int, Known]
    private val justMatched = mutable.ArrayBuffer.empty[Int]

    /** The importance found at each of the latest steps. */
    private val found = mutable.Queue.fill(span)(0.0)
    var computed, decisions = 0

    override def advance(tick: Long): Unit = {
      super.advance(tick)
      found.dequeue()
      found += 0.0
    }

    override def matched(row: Int): Unit = {
      val known = stored(row)
      known.matches = decayed(known) + 1
      known.lastMatch = tick
      justMatched += row
    }

    def arrived(row: Int, matches: Int): Unit = {
      found(found.length - 1) += justMatched.map(other => math.min(rows.importance(row), rows.importance(other))).sum
      justMatched.clear()
      stored(row) = new Known(row, tick, matches.toDouble)
      rate(stored(row))
    }

    def removed(row: Int): Unit = {
      stored -= row
      ()
    }

    def nextVictim(): Int = if (stored.isEmpty) NoRow else decide()

    private def decide(): Int = {
      decisions += 1
      if (recomputing.isDue(found.sum)) {
        computed += 1
        stored.values.foreach(rate)
      }
      stored.values.reduce((a, b) => if (goesBefore(a, b)) a else b).row
    }

    private def rate(known: Known): Unit = {
      val unmatched = tick - known.lastMatch
      val gain = rows.importance(known.row) * decayed(known) / math.max(1, tick - known.arrival)
      known.priority = gain - (if (unmatched >= patience) penalty * unmatched.toDouble else 0)
    }

    private def decayed(known: Known): Double = known.matches * math.exp(-decay * (tick - known.lastMatch))

    private def goesBefore(a: Known, b: Known): Boolean = {
      val (ripeA, ripeB) = (isMature(a), isMature(b))
      if (ripeA != ripeB) ripeA
      else {
        val (rankA, rankB) = if (ripeA) (a.priority, b.priority) else (-a.arrival.toDouble, -b.arrival.toDouble)
        rankA < rankB || rankA == rankB && rows.compareTied(a.row, b.row) < 0
      }
    }

    private def isMature(known: Known): Boolean = tick - known.arrival > maturity
  }
}
