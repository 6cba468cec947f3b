package org.apache.spark.sql.shedjoin

import shedjoin.core.join.Reach

import org.apache.spark.sql.catalyst.analysis.StreamingJoinHelper
import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeSet, Expression}
import org.apache.spark.sql.catalyst.plans.logical.EventTimeWatermark.delayKey

/** Which event times of the other side a row can match, as far as the join's condition bounds their difference.
  *
  * The bounds come from Spark's solver for state watermarks, asked for a watermark of 0. It counts in milliseconds and may
  * round either way, so the reach is a millisecond wider; the condition itself is still evaluated on every candidate.
  */
final class JoinReach(
    left: Seq[Attribute],
    right: Seq[Attribute],
    condition: Option[Expression],
    watermarkedKey: Option[Int]
) {
  private val afterLeft = earliest(of = right, from = left)
  private val afterRight = earliest(of = left, from = right)

  /** Where right rows lie as seen from a left row. */
  def fromLeft: Reach = Reach(afterLeft.getOrElse(Long.MinValue), afterRight.fold(Long.MaxValue)(-_))

  /** Where left rows lie as seen from a right row. */
  def fromRight: Reach = Reach(afterRight.getOrElse(Long.MinValue), afterLeft.fold(Long.MaxValue)(-_))

  /** How much earlier than a row of `from` a matching row of `of` can be, in microseconds, negative for earlier. */
  private def earliest(of: Seq[Attribute], from: Seq[Attribute]): Option[Long] =
    if (watermarkedKey.isDefined) None
    else
      for {
        time <- of.find(_.metadata.contains(delayKey))
        ms <- StreamingJoinHelper.getStateValueWatermark(AttributeSet(Seq(time)), AttributeSet(from), condition, Some(0L))
      } yield (ms - 1) * 1000
}
