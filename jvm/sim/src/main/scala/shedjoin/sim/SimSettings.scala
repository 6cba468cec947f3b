package shedjoin.sim

import shedjoin.core.join.Side
import shedjoin.core.policy.RowFacts

/** How a trace is run.
  *
  * @param policy the name of a policy of the registry
  * @param reference a policy of the simulator's own, instead of the one that is named
  * @param warmup results of rows that come earlier than so many ticks after the first one do not count
  * @param combine how important a result is, by what its two rows are
  * @param ledgerBytes what the ghost ledger may take, if there is one
  */
final case class SimSettings(
    policy: String,
    settings: Map[String, String] = Map.empty,
    memory: Memory,
    within: Within = Within.Ever,
    order: StepOrder = StepOrder.ProbeFirst,
    count: Counted = Counted.Both,
    combine: Combine = Combine.Least,
    warmup: Long = 0,
    seed: Long = 1,
    reference: Option[ReferencePolicy] = None,
    ledgerBytes: Option[Long] = None
) {
  require(
    ledgerBytes.isEmpty || order == StepOrder.ProbeFirst,
    "a ledger learns what is lost from rows that probe before they are stored"
  )

  /** Whether results count that are found so many ticks after the first row. */
  def countsAt(ticks: Long): Boolean = ticks >= warmup
}

/** Which right rows a left row meets: those from `before` ticks earlier to `after` ticks later. */
final case class Within(before: Long, after: Long) {
  require(before >= 0 && after >= 0, s"a window of $before and $after ticks; both must be at least 0")

  /** How long a row of `side` can meet rows that come later. */
  def life(side: Int): Long = if (side == Side.Left) after else before

  /** The last tick at which the row at `place` of `side` can meet a partner, or `Never`. O(1). */
  def lastTick(trace: Trace, side: Int, place: Int): Long = {
    val rows = trace.side(side)
    val last = math.min(rows.times(place) + life(side), rows.lastTicks(place))
    if (last >= Within.Ever.after / 2) RowFacts.Never else last
  }
}

object Within {
  val Ever: Within = Within(Long.MaxValue / 4, Long.MaxValue / 4)
}

/** How many rows may be stored. */
sealed trait Memory

object Memory {
  final case class Shared(rows: Int) extends Memory
  final case class Apart(left: Int, right: Int) extends Memory
}

sealed trait StepOrder

object StepOrder {

  /** A row meets the stored ones, and then is stored itself. */
  case object ProbeFirst extends StepOrder

  /** Rows are stored, the store is cut, and what came and survived meets the others (paper 2, tables 2 to 4). */
  case object EvictFirst extends StepOrder
}

/** Which results count: by the side of their later row. */
sealed abstract class Counted(val left: Boolean, val right: Boolean) {
  def side(side: Int): Boolean = if (side == Side.Left) left else right
}

object Counted {
  case object Both extends Counted(true, true)
  case object Left extends Counted(true, false)
  case object Right extends Counted(false, true)
}

/** How important a result is, by what its two rows are (paper 2, equation 2, which names the lesser one only). */
sealed abstract class Combine {
  def apply(a: Double, b: Double): Double
}

object Combine {
  case object Least extends Combine { def apply(a: Double, b: Double): Double = math.min(a, b) }
  case object Greatest extends Combine { def apply(a: Double, b: Double): Double = math.max(a, b) }
  case object Sum extends Combine { def apply(a: Double, b: Double): Double = a + b }
  case object Product extends Combine { def apply(a: Double, b: Double): Double = a * b }
}
