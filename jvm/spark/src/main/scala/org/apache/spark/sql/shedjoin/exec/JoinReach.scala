package org.apache.spark.sql.shedjoin.exec

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
  * nothing is concluded from others. Where such a comparison says no more than the difference does, candidates in reach
  * need not be asked again. Spark's solver for state watermarks is no help, for it takes a sum of equal terms for
  * one term, whole seconds for exact ones and all days for equally long.
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
    if (watermarkedKey.isDefined) Nil
    else condition.toSeq.flatMap(splitConjunctivePredicates).flatMap(ordered).filter(_.gap.isDefined)

  /** How much later than a left row a matching right row is, at the least and at the most, in microseconds. */
  private val low = orders.filter(_.first.isLeft).flatMap(_.gap).maxOption
  private val high = orders.filter(!_.first.isLeft).flatMap(_.gap).minOption
  private val exact = orders.filter(_.isExact)

  /** Where right rows lie as seen from a left row. */
  def fromLeft: Reach = Reach(low.getOrElse(Long.MinValue), high.getOrElse(Long.MaxValue), exact.nonEmpty)

  /** Where left rows lie as seen from a right row. */
  def fromRight: Reach = Reach(high.fold(Long.MinValue)(-_), low.fold(Long.MaxValue)(-_), exact.nonEmpty)

  /** What of `predicate` candidates in reach may still fail. */
  def undecided(predicate: Expression): Option[Expression] =
    splitConjunctivePredicates(predicate)
      .filterNot(part => exact.exists(_.predicate.semanticEquals(part)))
      .reduceOption(And)

  private def timeOf(attributes: Seq[Attribute]): Option[Attribute] =
    attributes.find(_.metadata.contains(delayKey)).filter(_.dataType == TimestampType)

  /** The predicate as two event times in their order, where they are those of both sides. */
  private def ordered(predicate: Expression): Option[Order] = predicate match {
    case LessThan(a, b) => order(a, b, isStrict = true, predicate)
    case LessThanOrEqual(a, b) => order(a, b, isStrict = false, predicate)
    case GreaterThan(a, b) => order(b, a, isStrict = true, predicate)
    case GreaterThanOrEqual(a, b) => order(b, a, isStrict = false, predicate)
    case _ => None
  }

  private def order(a: Expression, b: Expression, isStrict: Boolean, predicate: Expression): Option[Order] =
    for (first <- pointOf(a); second <- pointOf(b) if first.isLeft != second.isLeft)
      yield Order(first, second, isStrict, predicate)

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

  /** That `first` is not after `second`, and not at the same time either if `isStrict`. */
  final private case class Order(first: Point, second: Point, isStrict: Boolean, predicate: Expression) {

    /** Whether it holds just where the difference of the times lies within `gap`. */
    def isExact: Boolean = first.slack == 0 && second.slack == 0

    /** The least difference of right time and left time if `first` is left, else the greatest. */
    val gap: Option[Long] = {
      val loose = first.slack + second.slack - (if (isStrict && isExact) 1 else 0)
      Try {
        if (first.isLeft) Math.subtractExact(Math.subtractExact(first.offset, second.offset), loose)
        else Math.addExact(Math.subtractExact(second.offset, first.offset), loose)
      }.toOption
    }
  }
}
