package shedjoin.core.policy

/** A rank that changes only when the row is matched. */
sealed trait Score {

  /** The rank of a row that comes at `tick`. */
  def first(tick: Long, matches: Int, importance: Double): Double

  /** The rank of a row matched at `tick`, whose rank was `before`. */
  def matched(tick: Long, before: Double): Double
}

object Score {

  /** The row that came first goes first: FIFO, and RECENT of paper 1. */
  case object Arrival extends Score {
    def first(tick: Long, matches: Int, importance: Double): Double = tick.toDouble
    def matched(tick: Long, before: Double): Double = before
  }

  /** The row that came last goes first: UNTIL-EXPIRY of paper 1. */
  case object LateArrival extends Score {
    def first(tick: Long, matches: Int, importance: Double): Double = -tick.toDouble
    def matched(tick: Long, before: Double): Double = before
  }

  /** The row least recently matched goes first; one never matched counts as matched when it came. */
  case object LastMatch extends Score {
    def first(tick: Long, matches: Int, importance: Double): Double = tick.toDouble
    def matched(tick: Long, before: Double): Double = tick.toDouble
  }

  /** The row with fewest matches goes first. */
  case object Matches extends Score {
    def first(tick: Long, matches: Int, importance: Double): Double = matches.toDouble
    def matched(tick: Long, before: Double): Double = before + 1
  }

  /** The row of least importance goes first: GREEDY of paper 2, section 4. */
  case object Importance extends Score {
    def first(tick: Long, matches: Int, importance: Double): Double = importance
    def matched(tick: Long, before: Double): Double = before
  }
}
