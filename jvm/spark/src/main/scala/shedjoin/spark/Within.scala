package shedjoin.spark

import java.time.Duration

import scala.util.control.NonFatal

import org.apache.spark.sql.catalyst.util.IntervalUtils
import org.apache.spark.sql.shedjoin.ShedJoinErrors
import org.apache.spark.unsafe.types.UTF8String

/** How far the event times of two joined rows may lie apart: right time in [left time - before, left time + after].
  *
  * The columns are the watermarked ones of each side where they are not named.
  */
final case class Within(
    before: Duration,
    after: Duration,
    leftTime: Option[String] = None,
    rightTime: Option[String] = None
) {
  if (before.plus(after).isNegative)
    throw ShedJoinErrors.invalidArgument("within", s"($before, $after)", "an interval that is not empty")
}

object Within {

  /** The same bound on both sides. */
  def apply(bound: Duration): Within = Within(bound, bound)

  /** The same bound on both sides, written as Spark writes spans of time: "10 minutes". */
  def apply(bound: String): Within = Within(span(bound))

  /** Bounds written as Spark writes spans of time. */
  def apply(before: String, after: String): Within = Within(span(before), span(after))

  private def span(bound: String): Duration = {
    val interval =
      try IntervalUtils.stringToInterval(UTF8String.fromString(bound))
      catch { case NonFatal(_) => throw notSpan(bound) }
    if (interval.months != 0) throw notSpan(bound)
    Duration.ofDays(interval.days.toLong).plusNanos(Math.multiplyExact(interval.microseconds, 1000L))
  }

  private def notSpan(bound: String) = ShedJoinErrors.invalidArgument(
    "within",
    s"'$bound'",
    "a span of a fixed length such as '10 minutes', in microseconds to weeks"
  )
}
