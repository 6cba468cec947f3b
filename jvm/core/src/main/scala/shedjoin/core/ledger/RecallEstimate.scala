package shedjoin.core.ledger

/** How much of the exact result was found, as far as it is known.
  *
  * @param recall the best guess; `low` and `high` are the bounds of the 95 % interval
  * @param lost the guess of how many results were lost
  * @param isUnreliable whether too little is known for the interval to be trusted
  * @param isCorrected whether lost results were corrected by the share of candidates that pass the rest of the condition
  */
final case class RecallEstimate(
    recall: Double,
    low: Double,
    high: Double,
    lost: Double,
    isUnreliable: Boolean,
    isCorrected: Boolean
)

object RecallEstimate {

  /** Nothing was shed. */
  val Exact: RecallEstimate = RecallEstimate(1, 1, 1, 0, isUnreliable = false, isCorrected = false)
}
