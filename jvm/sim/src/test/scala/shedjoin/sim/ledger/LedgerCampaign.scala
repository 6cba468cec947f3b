package shedjoin.sim.ledger

import java.util.concurrent.{Callable, Executors}

import shedjoin.core.ledger.RecallEstimate
import shedjoin.sim.{ExactJoin, Memory, SimSettings, Simulation}

/** What a ledger said of a run, beside the truth. */
final case class LedgerRun(stream: String, policy: String, truth: Double, estimate: RecallEstimate) {

  /** Bounds are compared with the rounding of doubles. */
  def isCovered: Boolean = estimate.low - 1e-12 <= truth && truth <= estimate.high + 1e-12
  def width: Double = estimate.high - estimate.low
}

/** Runs of streams and policies with a ledger of 2 % of the memory, where a stored row takes 112 bytes. */
object LedgerCampaign {
  private val rowBytes = 112

  def policies(stream: LedgerStream): Seq[(String, Map[String, String])] = Seq(
    "random" -> Map.empty[String, String],
    "prob" -> stream.rates,
    "age" -> stream.ages,
    "heeb" -> (stream.rates + ("alpha" -> s"${stream.memoryRows}"))
  )

  /** All policies on a stream of each seed. */
  def run(streams: Seq[LedgerStream], seeds: Range): Seq[LedgerRun] = {
    val pool = Executors.newFixedThreadPool(2)
    try {
      val started =
        for (stream <- streams; seed <- seeds) yield pool.submit((() => runs(stream, seed)): Callable[Seq[LedgerRun]])
      started.flatMap(_.get)
    } finally pool.shutdownNow()
  }

  private def runs(stream: LedgerStream, seed: Int): Seq[LedgerRun] = {
    val trace = stream.trace(seed)
    def settings(policy: (String, Map[String, String])): SimSettings = SimSettings(
      policy._1,
      policy._2,
      memory = Memory.Shared(stream.memoryRows),
      within = stream.within,
      seed = seed.toLong,
      ledgerBytes = Some(stream.memoryRows.toLong * rowBytes * 2 / 100)
    )
    val exact = new ExactJoin(trace, settings("random" -> Map.empty))
    while (exact.step()) ()
    policies(stream).map { policy =>
      val result = Simulation.run(trace, settings(policy))
      val truth = if (exact.outputs == 0) 1.0 else result.outputs.toDouble / exact.outputs
      LedgerRun(stream.name, policy._1, truth, result.estimate.get)
    }
  }

  /** A line a setting: coverage, truth, bias, spread, width, and how often it says that it does not know. */
  def table(runs: Seq[LedgerRun]): Seq[String] =
    f"${"stream"}%-12s ${"policy"}%-7s runs covered recall    bias   error   width  widest unreliable" +:
      runs.groupBy(r => (r.stream, r.policy)).toSeq.sortBy(_._1).map { case ((stream, policy), of) =>
        val off = of.map(r => r.estimate.recall - r.truth)
        val mean = off.sum / of.size
        val error = math.sqrt(off.map(o => o * o).sum / of.size)
        f"$stream%-12s $policy%-7s ${of.size}%4d ${of.count(_.isCovered) * 100.0 / of.size}%6.1f%% " +
          f"${of.map(_.truth).sum / of.size}%6.4f $mean%+7.4f $error%7.4f ${of.map(_.width).sum / of.size}%7.4f " +
          f"${of.map(_.width).max}%7.4f ${of.count(_.estimate.isUnreliable)}%10d"
      }
}
