package shedjoin.core.model

import java.io.{DataInput, DataOutput}

import shedjoin.core.Budget

/** Says when a side's values no longer come as often as was counted.
  *
  * Watched is which share of all arrivals so far had the value that comes now: in the mean that is the sum of the squared
  * frequencies, as long as they stay, and far less once other values come than did. Its mean over the latest arrivals is
  * held against that over many, with their deviation. All methods O(1).
  */
final private[core] class ShareWatch(budget: Budget) {
  import ShareWatch._
  budget.reserve(4 * Budget.arrayBytes(2, 8))
  private val arrivals = new Array[Long](2)
  private val latest, usual, squares = new Array[Double](2)

  /** A row of `side` came whose value has had this share; whether there is a change, from which on all begins anew. */
  def isChange(side: Int, share: Double): Boolean = {
    arrivals(side) += 1
    val part = if (arrivals(side) < UsualRows) 1.0 / arrivals(side) else 1.0 / UsualRows
    latest(side) += (share - latest(side)) * (if (arrivals(side) < LatestRows) part else 1.0 / LatestRows)
    usual(side) += (share - usual(side)) * part
    squares(side) += (share * share - squares(side)) * part
    val isFound = arrivals(side) > 2 * LatestRows && isFar(side)
    if (isFound) {
      arrivals(side) = LatestRows
      usual(side) = latest(side)
      squares(side) = latest(side) * latest(side)
    }
    isFound
  }

  private def isFar(side: Int): Boolean = {
    val fall = usual(side) - latest(side)
    fall > LeastFall * usual(side) && {
      val variance = math.max(0, squares(side) - usual(side) * usual(side))
      fall > Deviations * math.sqrt(variance / (2 * LatestRows))
    }
  }

  def save(out: DataOutput): Unit = {
    arrivals.foreach(out.writeLong)
    Seq(latest, usual, squares).foreach(_.foreach(out.writeDouble))
  }

  def restore(in: DataInput): Unit = {
    arrivals.indices.foreach(arrivals(_) = in.readLong())
    Seq(latest, usual, squares).foreach(of => of.indices.foreach(of(_) = in.readDouble()))
  }
}

private object ShareWatch {
  final private val LatestRows = 256
  final private val UsualRows = 8192
  final private val LeastFall = .3
  final private val Deviations = 5.0
}
