package shedjoin.sim.serve

import java.util.{List => JList, Map => JMap}

import scala.jdk.CollectionConverters._

import shedjoin.core.policy.PolicyRegistry
import shedjoin.sim._

/** What Python calls. Tables cross as files in Arrow's stream format. */
object SimEntry {

  /** Whether this class can be called: it can. */
  def isThere: Boolean = true

  /** Reads a trace from files of its sides. */
  def trace(left: String, right: String, isStepwise: Boolean): Trace =
    Trace(ArrowFiles.readSide(left), ArrowFiles.readSide(right), isStepwise)

  /** Writes a side of a trace. */
  def writeSide(trace: Trace, side: Int, path: String): Unit = {
    val rows = trace.side(side)
    ArrowFiles.write(
      path,
      Column.Longs("time", rows.times),
      Column.Longs("key", rows.keys),
      Column.Longs("value", rows.values),
      Column.Doubles("importance", rows.importances)
    )
  }

  /** The settings of a run, by name as texts; throws where the policy can not be. `rows` are for both sides, or
    * `left_rows` and `right_rows` for each; `before` and `after`, and `ledger`, its bytes, may be left out. `parameters`
    * are the policy's own.
    */
  def settings(texts: JMap[String, String], parameters: JMap[String, String]): SimSettings = {
    val said = texts.asScala.toMap
    val settings = SimSettings(
      said("policy"),
      parameters.asScala.toMap,
      memory = memory(said),
      within = said.get("before").fold(Within.Ever)(before => Within(before.toLong, said("after").toLong)),
      order = choice(said("order"), "probe_first" -> StepOrder.ProbeFirst, "evict_first" -> StepOrder.EvictFirst),
      count = choice(said("count"), "both" -> Counted.Both, "left" -> Counted.Left, "right" -> Counted.Right),
      combine = choice(
        said("combine"),
        "min" -> Combine.Least,
        "max" -> Combine.Greatest,
        "sum" -> Combine.Sum,
        "product" -> Combine.Product
      ),
      warmup = said("warmup").toLong,
      seed = said("seed").toLong,
      ledgerBytes = said.get("ledger").map(_.toLong)
    )
    // Makes the policy, to be told of what is wrong with it.
    new Simulation(Trace.ofSteps(Array.empty, Array.empty), settings, RunSink.Nowhere)
    settings
  }

  private def memory(said: Map[String, String]): Memory = said.get("rows") match {
    case Some(rows) => Memory.Shared(rows.toInt)
    case None => Memory.Apart(said("left_rows").toInt, said("right_rows").toInt)
  }

  private def choice[T](text: String, choices: (String, T)*): T = choices.toMap.apply(text)

  /** How many rows an exact join stores at most. */
  def exactRows(trace: Trace, settings: SimSettings): Int = new ExactRun(trace, settings).peakRows

  /** Starts runs, which go on in the background. */
  def start(runs: JList[SimRun]): SimJob = new SimJob(runs)

  /** A policy and one of its parameters a line, or a policy without any: name, doc, whether its seed matters, parameter,
    * what it may be, default, doc; with tabs between them.
    */
  def policies: String = PolicyRegistry.all
    .flatMap { spec =>
      val policy = Seq(spec.name, spec.doc, spec.isRandom.toString)
      val parameters = spec.parameters.map(p => Seq(p.name, p.kind.allowed, p.default, p.doc))
      (if (parameters.isEmpty) Seq(Seq.fill(4)("")) else parameters).map(policy ++ _)
    }
    .map(_.mkString("\t"))
    .mkString("\n")
}
