package shedjoin.core.ledger

/** Partner counts as they are learned, for models to read; right in the mean, whatever a policy kept. */
trait PartnerCountSource {

  /** How many partners the rows of this side and key lately met after they came, in all; may be negative. O(1). */
  def partners(side: Int, key: Int): Double

  /** How many rows of this side and key lately came; may be negative. O(1). */
  def rows(side: Int, key: Int): Double
}
