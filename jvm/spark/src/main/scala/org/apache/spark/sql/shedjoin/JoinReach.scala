package org.apache.spark.sql.shedjoin

import java.time.ZoneId

import scala.util.Try

import shedjoin.core.join.Reach

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical.EventTimeWatermark.delayKey
import org.apache.spark.sql.types.TimestampType
import org.apache.spark.unsafe.types.CalendarInterval

/** Which event times of the other side a row can match, as far as the join's condition bounds their difference.
  *
  * Only comparisons of the two event times, each moved by constant intervals, are read: they are understood exactly, and
  * nothing is concluded from others. Spark's solver for state watermarks is no help, for it takes a sum of equal terms for
  * one term, whole seconds for exact ones and all days for equally long; the condition itself decides on every candidate.
  */
final class JoinReach(
    left: Seq[Attribute],
    right: Seq[Attribute],
    condition: Option[Expression],
    watermarkedKey: Option[Int]
) extends PredicateHelper {
  import JoinReach._

  private val leftTime = timeOf(left)
  private val rightTime = timeOf(right)
  private val orders =
    if (watermarkedKey.isDefined) Nil else condition.toSeq.flatMap(splitConjunctivePredicates).flatMap(ordered)

  /** How much later than a left row a matching right row is, at the least and at the most, in microseconds. */
  private val low = orders.collect { case (a, b) if a.isLeft && !b.isLeft => gap(a, b, -1) }.flatten.maxOption
  private val high = orders.collect { case (a, b) if !a.isLeft && b.isLeft => gap(b, a, 1) }.flatten.minOption

  /** Where right rows lie as seen from a left row. */
  def fromLeft: Reach = Reach(low.getOrElse(Long.MinValue), high.getOrElse(Long.MaxValue))

  /** Where left rows lie as seen from a right row. */
  def fromRight: Reach = Reach(high.fold(Long.MinValue)(-_), low.fold(Long.MaxValue)(-_))

  private def timeOf(attributes: Seq[Attribute]): Option[Attribute] =
    attributes.find(_.metadata.contains(delayKey)).filter(_.dataType == TimestampType)

  /** The predicate as points of which the first is not after the second. */
  private def ordered(predicate: Expression): Option[(Point, Point)] = predicate match {
    case LessThan(a, b) => both(a, b)
    case LessThanOrEqual(a, b) => both(a, b)
    case GreaterThan(a, b) => both(b, a)
    case GreaterThanOrEqual(a, b) => both(b, a)
    case _ => None
  }

  private def both(a: Expression, b: Expression): Option[(Point, Point)] = pointOf(a).zip(pointOf(b))

  private def pointOf(expression: Expression): Option[Point] = expression match {
    case time: Attribute if leftTime.exists(_.exprId == time.exprId) => Some(Point(isLeft = true, 0, 0))
    case time: Attribute if rightTime.exists(_.exprId == time.exprId) => Some(Point(isLeft = false, 0, 0))
    case TimestampAddInterval(start, interval, zone) if interval.foldable =>
      for {
        point <- pointOf(start)
        step <- stepOf(interval.eval(), zone)
        moved <- Try(Math.addExact(point.offset, step.offset)).toOption
      } yield Point(point.isLeft, moved, point.slack + step.slack)
    case _ => None
  }

  private def stepOf(interval: Any, zone: Option[String]): Option[Step] = interval match {
    case micros: Long => Some(Step(micros, slackOf(micros / DayMicros, zone)))
    case c: CalendarInterval if c.months == 0 =>
      Try(Math.addExact(Math.multiplyExact(c.days.toLong, DayMicros), c.microseconds)).toOption
        .map(Step(_, slackOf(c.days.toLong, zone)))
    case _ => None
  }

  /** By how much so many days can differ from as many times 24 hours. */
  private def slackOf(days: Long, zone: Option[String]): Long =
    if (days == 0 || zone.exists(ZoneId.of(_).getRules.isFixedOffset)) 0 else LongestShiftMicros
}

object JoinReach {

  /** An event time, moved by `offset` and up to `slack` more or less, in microseconds. */
  final private case class Point(isLeft: Boolean, offset: Long, slack: Long)
  final private case class Step(offset: Long, slack: Long)

  private val DayMicros = 24L * 3600 * 1000000
  private val LongestShiftMicros = 25L * 3600 * 1000000

  /** `from.offset - to.offset`, widened by the slack of both towards `sign`. */
  private def gap(from: Point, to: Point, sign: Int): Option[Long] =
    Try(Math.addExact(Math.subtractExact(from.offset, to.offset), sign * (from.slack + to.slack))).toOption
}
