package shedjoin.core.model

import java.io.{DataInput, DataOutput}

import shedjoin.core.ledger.AgeCurveSource

/** The age curve of one side as a ledger knows it, of stored rows and ghosts together: right in the mean, whatever the
  * policy kept, so that nothing need be stored to learn from (DESIGN section 6). Keeps nothing of its own.
  */
final class LedgerAges(source: AgeCurveSource, side: Int) extends AgeModel {
  private def window: Long = source.bins * source.binTicks(side)

  def cellTicks: Long = AgeModel.cellTicks(window)
  def cellsAPart: Int = AgeModel.cellsAPart(window, cellTicks)
  def needsRows: Boolean = false

  /** Of each bin of the ledger's, the share that lies within the part. */
  def expected(part: Int): Double = {
    val from = part * partTicks.toDouble / source.binTicks(side)
    val to = (part + 1) * partTicks.toDouble / source.binTicks(side)
    var partners = 0.0
    var bin = from.toInt
    while (bin < source.bins && bin < to) {
      partners += source.partners(side, bin) * (math.min(to, bin + 1.0) - math.max(from, bin.toDouble))
      bin += 1
    }
    partners
  }

  def windowIs(ticks: Long): Unit = ()
  def advance(tick: Long): Unit = ()
  def entered(weight: Double): Unit = ()
  def left(arrival: Long, weight: Double): Unit = ()
  def met(arrival: Long, weight: Double): Unit = ()
  def save(out: DataOutput): Unit = ()
  def restore(in: DataInput): Unit = ()
}
