package shedjoin.sim.ledger

import java.util.concurrent.{Callable, Executors}

import shedjoin.core.ledger.RecallEstimate
import shedjoin.sim.{ExactJoin, Memory, SimSettings, Simulation}

/** What a ledger said of a run, beside the truth.
  *
  * @param lost how many results were lost in truth
  * @param alike the width of the interval of a ledger in the same space that draws all cells alike
  * @param knowing that of one that knows what each cell will lose; see [[IdealLedger]]
  */
final case class LedgerRun(
    stream: String,
    policy: String,
    truth: Double,
    lost: Long,
    estimate: RecallEstimate,
    alike: Double,
    knowing: Double
) {

  /** Bounds are compared with the rounding of doubles. */
  def isCovered: Boolean = estimate.low - 1e-12 <= truth && truth <= estimate.high + 1e-12
  def width: Double = estimate.high - estimate.low
}

/** Runs of streams and policies with a ledger of 2 % of the memory, where a stored row takes 112 bytes. */
object LedgerCampaign {
  private val rowBytes = 112

  /** What a cell of a ledger takes, with its head. */
  private val cellBytes = 28.0

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
      ledgerBytes = Some(ledgerBytes(stream))
    )
    val exact = new ExactJoin(trace, settings("random" -> Map.empty))
    while (exact.step()) ()
    policies(stream).map { policy =>
      val ideal = new IdealLedger(trace, stream.within, ledgerBytes(stream) / cellBytes)
      val result = new Simulation(trace, settings(policy), ideal).run()
      val truth = if (exact.outputs == 0) 1.0 else result.outputs.toDouble / exact.outputs
      val (alike, knowing) = ideal.widths(result.outputs.toDouble)
      LedgerRun(stream.name, policy._1, truth, exact.outputs - result.outputs, result.estimate.get, alike, knowing)
    }
  }

  def ledgerBytes(stream: LedgerStream): Long = stream.memoryRows.toLong * rowBytes * 2 / 100

  /** The runs by stream and policy. */
  def settings(runs: Seq[LedgerRun]): Seq[(String, Seq[LedgerRun])] =
    runs.groupBy(r => f"${r.stream}%-12s ${r.policy}%-7s").toSeq.sortBy(_._1)

  /** A line a setting: coverage, truth, bias, spread, widths, and how often it says that it does not know. */
  def table(runs: Seq[LedgerRun]): Seq[String] =
    f"${"stream"}%-12s ${"policy"}%-7s runs covered recall    bias   error   width  widest   alike knowing unknown" +:
      settings(runs).map { case (setting, of) =>
        def mean(what: LedgerRun => Double): Double = of.map(what).sum / of.size
        val error = math.sqrt(mean(r => math.pow(r.estimate.recall - r.truth, 2)))
        f"$setting ${of.size}%4d ${mean(r => if (r.isCovered) 100 else 0)}%6.1f%% " +
          f"${mean(_.truth)}%6.4f ${mean(r => r.estimate.recall - r.truth)}%+7.4f $error%7.4f ${mean(_.width)}%7.4f " +
          f"${of.map(_.width).max}%7.4f ${mean(_.alike)}%7.4f ${mean(_.knowing)}%7.4f " +
          f"${of.count(_.estimate.isUnreliable)}%7d"
      }
}
