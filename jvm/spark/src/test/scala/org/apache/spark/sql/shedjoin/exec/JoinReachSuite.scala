package org.apache.spark.sql.shedjoin.exec

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.Seeded
import shedjoin.core.join.{JoinShape, Reach}

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical.EventTimeWatermark.delayKey
import org.apache.spark.sql.types.{CalendarIntervalType, LongType, MetadataBuilder, TimestampType}
import org.apache.spark.unsafe.types.CalendarInterval

/** What a condition says of the other side's event times, against the condition itself on every pair of rows. */
class JoinReachSuite extends AnyFunSuite with Seeded {
  import JoinReachSuite._

  test("rows match just where they are in reach and what is undecided holds, whichever side asks") {
    var decided = 0
    histories(400) { random =>
      val condition = Seq.fill(1 + random.nextInt(4))(conjunct(random)).reduce(And(_, _))
      val reach = new JoinReach(Left, Right, Some(condition), watermarkedKey = None)
      val undecided = reach.undecided(condition)
      if (undecided.isEmpty) decided += 1
      for (left <- rows(random); right <- rows(random)) {
        val clue = s"$condition on $left and $right, undecided $undecided"
        val rest = undecided.forall(holds(_, left, right))
        val matches = holds(condition, left, right)
        assert((inReach(reach.fromLeft, left, right) && rest) == matches, clue)
        assert((inReach(reach.fromRight, right, left) && rest) == matches, clue)
      }
    }
    overall(assert(decided > times(20) && decided < times(300), "conditions with and without a rest"))
  }

  test("nothing is concluded when the event time is a join key") {
    val reach = new JoinReach(Left, Right, Some(LessThan(LeftTime, RightTime)), watermarkedKey = Some(0))
    assert(reach.fromLeft == Reach.Everything && reach.fromRight == Reach.Everything)
    assert(reach.undecided(LessThan(LeftTime, RightTime)).contains(LessThan(LeftTime, RightTime)))
  }

  test("a row is late when its event time is at or below the bound; one without a time never is") {
    val late = LateRows(TimeColumn.inRow(LeftTime, Left), bound = 50)
    val reader = SideInput(Left, Seq(LeftValue), Some(late), None, TimeColumn.Absent).reader(0)
    val toRow = UnsafeProjection.create(Left.map(_.dataType).toArray)
    val told =
      Seq(Some(49L), Some(50L), Some(51L), None).map(time => reader.isLate(toRow(Row(time, Some(1L)).internal)))
    assert(told == Seq(true, true, false, false))
  }

  private def conjunct(random: Random): Expression = {
    def moved(time: Expression) =
      if (random.nextInt(3) == 0) time else TimestampAddInterval(time, interval(random), Some("Europe/Berlin"))
    val (a, b) = random.nextInt(6) match {
      case 0 => (LeftValue, RightValue)
      case 1 => (moved(LeftTime), moved(LeftTime))
      case n if n % 2 == 0 => (moved(LeftTime), moved(RightTime))
      case _ => (moved(RightTime), moved(LeftTime))
    }
    random.nextInt(5) match {
      case 0 => LessThan(a, b)
      case 1 => LessThanOrEqual(a, b)
      case 2 => GreaterThan(a, b)
      case 3 => GreaterThanOrEqual(a, b)
      case _ => Or(LessThanOrEqual(a, b), EqualTo(LeftValue, RightValue))
    }
  }

  private def interval(random: Random): Literal = {
    val micros = random.nextInt(21) - 10L
    val days = if (random.nextInt(6) == 0) random.nextInt(3) - 1 else 0
    val months = if (random.nextInt(12) == 0) 1 else 0
    if (days == 0 && months == 0 && random.nextBoolean())
      Literal.create(micros, org.apache.spark.sql.types.DayTimeIntervalType())
    else Literal.create(new CalendarInterval(months, days, micros), CalendarIntervalType)
  }

  /** Times near each other, a day apart over a change of the clocks, and none at all. */
  private def rows(random: Random): Seq[Row] =
    Seq(None, Some(0L)).map(Row(_, Some(1))) ++ Seq.fill(10) {
      val time = ClocksChange + random.nextInt(3) * DayMicros + random.nextInt(30)
      Row(Some(time), Option.when(random.nextInt(8) > 0)(random.nextInt(2).toLong))
    }
}

object JoinReachSuite {
  final private case class Row(time: Option[Long], value: Option[Long]) {
    def internal: InternalRow = InternalRow(time.orNull, value.orNull)
    def shedTime: Long = time.getOrElse(JoinShape.NoTime)
  }

  private val DayMicros = 24L * 3600 * 1000000

  /** The night of 2026-10-25 in Berlin. */
  private val ClocksChange = 1792886400L * 1000000

  private val LeftTime = eventTime("leftTime")
  private val LeftValue = AttributeReference("left", LongType)()
  private val RightTime = eventTime("rightTime")
  private val RightValue = AttributeReference("right", LongType)()
  private val Left = Seq(LeftTime, LeftValue)
  private val Right = Seq(RightTime, RightValue)

  private def eventTime(name: String) =
    AttributeReference(name, TimestampType, nullable = true, new MetadataBuilder().putLong(delayKey, 1000).build())()

  private def inReach(reach: Reach, from: Row, other: Row): Boolean =
    reach.earliest(from.shedTime) <= other.shedTime && other.shedTime <= reach.latest(from.shedTime)

  private def holds(condition: Expression, left: Row, right: Row): Boolean = {
    val bound = BindReferences.bindReference(condition, Left ++ Right)
    bound.eval(new JoinedRow(left.internal, right.internal)) == true
  }
}
