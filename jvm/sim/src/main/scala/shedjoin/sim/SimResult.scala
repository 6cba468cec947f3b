package shedjoin.sim

import shedjoin.core.ledger.RecallEstimate

/** What a run came to.
  *
  * @param outputs how many results were found after the warm-up
  * @param importance how important they are: each as its less important row
  * @param shed how many rows were shed before they expired
  * @param shareLeft the share of left rows among those stored, in the mean over the steps after the warm-up
  * @param fairness Jain's index over the times the rows stayed (paper 2, equation 4)
  * @param estimate what a ledger made of it, if there was one
  */
final case class SimResult(
    outputs: Long,
    importance: Double,
    shed: Long,
    shareLeft: Double,
    fairness: Double,
    estimate: Option[RecallEstimate] = None
)
