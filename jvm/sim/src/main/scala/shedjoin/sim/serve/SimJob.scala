package shedjoin.sim.serve

import java.util.concurrent._
import java.util.concurrent.atomic.{AtomicInteger, LongAdder}

import scala.jdk.CollectionConverters._

import shedjoin.core.ledger.RecallEstimate
import shedjoin.sim.{Counted, Trace, Within}

/** Runs that go on in the background, as many at a time as there are processors. */
final class SimJob(runs: java.util.List[SimRun]) {
  import SimJob._

  private val done = new LongAdder
  @volatile private var isCancelled = false
  private val exacts = new ConcurrentHashMap[ExactKey, ExactRun]
  private val all = runs.asScala.toVector
  private val waiting: Iterator[Future[Unit]] = start()
  private var next: Option[Future[Unit]] = None

  private def start(): Iterator[Future[Unit]] = {
    val pool = Executors.newFixedThreadPool(Runtime.getRuntime.availableProcessors, newThread(_))
    try all.map(run => pool.submit((() => go(run)): Callable[Unit])).iterator
    finally pool.shutdown()
  }

  private def go(run: SimRun): Unit = if (!isCancelled) {
    val settings = run.settings
    run.exact = exacts.computeIfAbsent(
      ExactKey(run.trace, settings.within, settings.count, settings.warmup),
      _ => new ExactRun(run.trace, settings)
    )
    run.run(done, () => isCancelled)
  }

  def rowsDone: Long = done.sum
  def rowsInAll: Long = all.map(_.trace.rows.toLong).sum

  /** Waits so long for the end; whether it came. Throws what a run threw. */
  def hasEnded(millis: Long): Boolean = {
    val until = System.nanoTime + TimeUnit.MILLISECONDS.toNanos(millis)
    try {
      while (next.nonEmpty || waiting.hasNext) {
        if (next.isEmpty) next = Some(waiting.next())
        next.foreach(_.get(math.max(0, until - System.nanoTime), TimeUnit.NANOSECONDS))
        next = None
      }
      true
    } catch {
      case _: TimeoutException => false
      case failed: ExecutionException =>
        cancel()
        throw failed.getCause
    }
  }

  /** Ends the runs where they stand. */
  def cancel(): Unit = isCancelled = true

  /** Writes a row for each run. */
  def writeResults(path: String): Unit = ArrowFiles.write(
    path,
    Column.Longs("outputs", all.map(_.result.outputs).toArray),
    Column.Longs("exact", all.map(_.exact.outputs).toArray),
    Column.Longs("exact_rows", all.map(_.exact.peakRows.toLong).toArray),
    Column.Longs("shed", all.map(_.result.shed).toArray),
    Column.Doubles("share_left", all.map(_.result.shareLeft).toArray),
    Column.Doubles("importance", all.map(_.result.importance).toArray),
    Column.Doubles("fairness", all.map(_.result.fairness).toArray),
    Column.Doubles("estimate", estimates(_.recall)),
    Column.Doubles("estimate_low", estimates(_.low)),
    Column.Doubles("estimate_high", estimates(_.high)),
    Column.Bytes("unreliable", estimates(e => if (e.isUnreliable) 1 else 0).map(_.toByte))
  )

  /** NaN where a run has no ledger. */
  private def estimates(figure: RecallEstimate => Double): Array[Double] =
    all.map(_.result.estimate.fold(Double.NaN)(figure)).toArray

  /** Writes a row for each part of the time of each run; counts are those at the end of the part. */
  def writeTimelines(path: String): Unit = {
    def counts(column: Int): Array[Long] = all.flatMap(_.timeline.column(column)).toArray
    ArrowFiles.write(
      path,
      Column.Longs("run", all.zipWithIndex.flatMap { case (run, i) => Seq.fill(run.timeline.parts)(i.toLong) }.toArray),
      Column.Longs("time", all.flatMap(run => (0 until run.timeline.parts).map(run.timeline.start)).toArray),
      Column.Longs("outputs", counts(SimRun.Outputs)),
      Column.Longs("exact", all.flatMap(_.exact.outputsByPart).toArray),
      Column.Longs("shed", counts(SimRun.Shed)),
      Column.Longs("stored_left", counts(SimRun.Left)),
      Column.Longs("stored_right", counts(SimRun.Right))
    )
  }

  /** Writes a row for each row of a side of the first run's trace. */
  def writeFates(side: Int, path: String): Unit = {
    val noted = all.head.fates
    ArrowFiles.write(path, Column.Longs("until", noted.untils(side)), Column.Bytes("fate", noted.fates(side)))
  }
}

private object SimJob {

  /** What an exact join depends on; a trace is equal to itself only. */
  final private case class ExactKey(trace: Trace, within: Within, count: Counted, warmup: Long)

  private val threads = new AtomicInteger

  private def newThread(work: Runnable): Thread = {
    val thread = new Thread(work, s"shedjoin-sim-${threads.incrementAndGet()}")
    thread.setDaemon(true)
    thread
  }
}
