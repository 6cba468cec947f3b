package shedjoin.sim.ledger

import java.lang.management.ManagementFactory

import shedjoin.sim.{Memory, SimSettings, Simulated}

/** Measures what a ledger costs a run of the simulator for each row that comes: nanoseconds of a processor, mean of warm laps
  * with and without it in turn. Not a test: `sim/Test/runMain shedjoin.sim.ledger.LedgerSpeed`, with the names of some
  * streams.
  */
object LedgerSpeed {
  private val threads = ManagementFactory.getThreadMXBean
  private val laps = 12
  private val cold = 6

  def main(arguments: Array[String]): Unit = {
    val asked = LedgerStreams.all.filter(stream => arguments.isEmpty || arguments.contains(stream.name))
    asked.foreach { stream =>
      val trace = stream.trace(1)
      def lap(ledger: Option[Long]): Double = {
        val start = threads.getCurrentThreadCpuTime
        val settings = SimSettings("random", Map.empty, Memory.Shared(stream.memoryRows), stream.within)
        Simulated(trace, settings.copy(ledgerBytes = ledger))
        (threads.getCurrentThreadCpuTime - start).toDouble / trace.rows
      }
      val bytes = LedgerCampaign.ledgerBytes(stream)
      val pairs = Seq.fill(laps)((lap(None), lap(Some(bytes)))).drop(cold)
      val without = pairs.map(_._1).sum / pairs.size
      val beside = pairs.map(_._2).sum / pairs.size
      println(f"${stream.name}%-12s $without%.0f ns a row without, $beside%.0f ns with a ledger of $bytes bytes")
    }
  }
}
