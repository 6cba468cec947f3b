package shedjoin.core.ledger

/** Age curves as they are learned, for models to read; right in the mean, whatever a policy kept. */
trait AgeCurveSource {

  /** How many bins of age there are. */
  def bins: Int

  /** How many ticks a bin of this side is wide; doubled now and then where rows live for ever. */
  def binTicks(side: Int): Long

  /** How many partners a row of this side meets while its age is in this bin, in the mean. O(1). */
  def partners(side: Int, bin: Int): Double
}
