package org.apache.spark.sql.shedjoin

/** What a join asks of the two event times. */
sealed trait TimeCondition

object TimeCondition {

  /** Nothing. */
  case object Unrelated extends TimeCondition

  /** They are the same. */
  case object Same extends TimeCondition

  /** They share a window of that many seconds; with a slide the windows overlap. */
  final case class Windows(seconds: Int, slide: Int) extends TimeCondition {

    /** The ends of the windows that hold a time, all in microseconds. */
    def endsAt(micros: Long): Seq[Long] = {
      val last = Math.floorDiv(micros, slide * 1000000L) * slide
      (last to last - seconds + 1 by -slide.toLong)
        .filter(s => micros < (s + seconds) * 1000000L)
        .map(s => (s + seconds) * 1000000L)
    }
  }

  /** The right time less the left one lies between the bounds, in milliseconds, written in one of several ways. */
  final case class Range(low: Option[Bound], high: Option[Bound], spelling: Spelling) extends TimeCondition {
    def sql: Seq[String] = low.map(b => spelling.atLeast(b)).toSeq ++ high.map(b => spelling.atMost(b))

    def holds(left: Long, right: Long): Boolean =
      low.forall(spelling.isAtLeast(_, left, right)) && high.forall(spelling.isAtMost(_, left, right))
  }

  /** The right time less the left one lies between these milliseconds, or is one of them. */
  def between(lowMs: Int, highMs: Int): Range =
    Range(Some(Bound(lowMs, closed = true)), Some(Bound(highMs, closed = true)), RightOfLeft)

  final case class Bound(ms: Int, closed: Boolean) {
    def seconds: Int = Math.floorDiv(ms, 1000)
  }

  /** A way to write a bound. Some are not `plain`: Spark solves them wrongly and lets rows go too early. */
  sealed abstract class Spelling(val atLeast: Bound => String, val atMost: Bound => String) {
    def isPlain: Boolean = true
    def difference(left: Long, right: Long): Double = (right - left).toDouble
    def limit(bound: Bound): Double = bound.ms * 1000.0

    def isAtLeast(bound: Bound, left: Long, right: Long): Boolean = {
      val d = difference(left, right)
      d > limit(bound) || (bound.closed && d == limit(bound))
    }

    def isAtMost(bound: Bound, left: Long, right: Long): Boolean = {
      val d = difference(left, right)
      d < limit(bound) || (bound.closed && d == limit(bound))
    }
  }

  private def ge(b: Bound): String = if (b.closed) ">=" else ">"
  private def le(b: Bound): String = if (b.closed) "<=" else "<"
  private def interval(ms: Double): String = s"interval '${BigDecimal(ms / 1000)}' second"

  case object RightOfLeft
      extends Spelling(
        b => s"rts ${ge(b)} lts + ${interval(b.ms)}",
        b => s"rts ${le(b)} lts + ${interval(b.ms)}"
      )
  case object LeftOfRight
      extends Spelling(
        b => s"lts ${le(b)} rts - ${interval(b.ms)}",
        b => s"lts ${ge(b)} rts - ${interval(b.ms)}"
      )
  case object InTwoSteps
      extends Spelling(
        b => s"rts ${ge(b)} lts + ${interval(b.ms / 2.0)} + ${interval(b.ms / 2.0)}",
        b => s"rts ${le(b)} lts + ${interval(b.ms / 2.0)} + ${interval(b.ms / 2.0)}"
      ) {
    override def isPlain: Boolean = false
  }
  case object OnBothSides
      extends Spelling(
        b => s"rts + ${interval(1000)} ${ge(b)} lts + ${interval(b.ms + 1000)}",
        b => s"rts - ${interval(1000)} ${le(b)} lts + ${interval(b.ms - 1000)}"
      )
  case object WholeSeconds
      extends Spelling(
        b => s"cast(rts as bigint) ${ge(b)} cast(lts as bigint) + ${b.seconds}",
        b => s"cast(rts as bigint) ${le(b)} cast(lts as bigint) + ${b.seconds}"
      ) {
    override def isPlain: Boolean = false
    override def difference(left: Long, right: Long): Double =
      (Math.floorDiv(right, 1000000L) - Math.floorDiv(left, 1000000L)).toDouble
    override def limit(bound: Bound): Double = bound.seconds.toDouble
  }

  /** A bound of one day, which has 23 to 25 hours. */
  case object Day extends Spelling(_ => "true", _ => "rts <= lts + interval '1' day") {
    override def isPlain: Boolean = false
  }

  val spellings: Seq[Spelling] = Seq(RightOfLeft, LeftOfRight, InTwoSteps, OnBothSides, WholeSeconds)
}
