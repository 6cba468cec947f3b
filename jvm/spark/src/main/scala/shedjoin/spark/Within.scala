package shedjoin.spark

import java.time.Duration

/** How far the event times of two joined rows may lie apart: right time in [left time - before, left time + after].
  *
  * The columns are the watermarked ones of each side where they are not named.
  */
final case class Within(
    before: Duration,
    after: Duration,
    leftTime: Option[String] = None,
    rightTime: Option[String] = None
)

object Within {

  /** The same bound on both sides. */
  def apply(bound: Duration): Within = Within(bound, bound)
}
