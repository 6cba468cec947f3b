package shedjoin.core.ledger

import java.io.{DataInput, DataOutput}

import shedjoin.core.Budget
import shedjoin.core.join.{JoinShape, Reach, Side}

/** Knows what a join lost: remembers the shed rows, as ghosts, and lets all that comes meet them (DESIGN section 6).
  *
  * A row that comes always probes, so a result is lost exactly when its earlier row had been shed. The ledger is told, in
  * canonical order: of time; of each row that comes, before it is stored; of the stored rows it meets; of each row shed. All
  * its memory is asked for at once, and it never takes more. O(1) amortised for each of these, but for what a key of several
  * buckets takes; nothing is allocated.
  *
  * Keys are known by a hash of 32 bits; those that share one are one key.
  */
final class GhostLedger(val settings: LedgerSettings, budget: Budget) extends PartnerCountSource {
  import GhostLedger._
  import settings.{leftReach, rightReach}

  private val buckets = Array(new Buckets(rightReach), new Buckets(leftReach))
  private val sketch = new KeySketch(settings.sketchWidth, budget)
  private val record = new ShedRecord(settings.recordWidth, budget)
  private val losses = new LossSums(budget)
  private val matchAges = new MatchAges(buckets.map(_.life), budget)
  private val cells = new GhostCells(settings.cells, buckets, settings.seed, losses, matchAges, budget)
  private var tick = Long.MinValue
  private var shedRows = 0L
  private var shedReach = Long.MinValue
  private var hasResidual = false

  /** Time has come to `tick`; rows of the sides at or before their bounds, `NoBound` if there is none, can be met no
    * more.
    */
  def advance(tick: Long, leftBound: Long, rightBound: Long): Unit = if (tick > this.tick) {
    this.tick = tick
    matchAges.advance(tick)
    cells.expireUpTo(Side.Left, leftBound)
    cells.expireUpTo(Side.Right, rightBound)
  }

  /** A row came; returns how many results it lost, as far as is known. */
  def arrived(side: Int, key: Int, time: Long): Double = {
    sketch.addArrival(side, key)
    matchAges.arrived(side)
    val lost = cells.probe(side, key, time)
    val earlier = Side.other(side)
    if (cells.samples(score(earlier, key))) losses.gathered(earlier, sketch.inTheMean(KeySketch.Arrivals + side, key))
    if (lost > 0) {
      sketch.add(KeySketch.Matches + earlier, key, (lost * losses.passShare(earlier)).toFloat)
    }
    lost
  }

  /** The row that came at `time` and a stored row of `side`, of `rowTime`, are a result. */
  def matched(side: Int, key: Int, rowTime: Long, time: Long): Unit = {
    losses.found(side)
    sketch.add(KeySketch.Matches + side, key, 1)
    if (rowTime != JoinShape.NoTime && time != JoinShape.NoTime) matchAges.matched(side, time - rowTime, 1)
  }

  /** A stored row of `side` was in reach of the row that came, but the rest of the condition did not hold. */
  def rejected(side: Int): Unit = {
    hasResidual = true
    losses.rejected(side)
  }

  /** A row is shed whose partners may come until `lastTick`. */
  def shed(side: Int, key: Int, time: Long, lastTick: Long): Unit = {
    shedRows += 1
    shedReach = math.max(shedReach, lastTick)
    if (settings.isOuter) record.add(side, key, time)
    sketch.add(KeySketch.Ghosts + side, key, 1)
    cells.add(side, key, time, score(side, key))
  }

  /** What the ghosts of a key may lose: how often they come x how often partners do. */
  private def score(side: Int, key: Int): Double = {
    val all = sketch.total(KeySketch.Arrivals) + sketch.total(KeySketch.Arrivals + 1) + 1
    val ghosts = sketch.atMost(KeySketch.Ghosts + side, key) / all
    val partners = math.max(1f, sketch.atMost(KeySketch.Arrivals + Side.other(side), key)) / all
    ghosts * partners
  }

  /** Since which tick the results are exact: the first after the windows of all shed rows; `NotExact` if they are not. */
  def exactSince: Long =
    if (shedRows == 0) Long.MinValue else if (tick > shedReach) shedReach + 1 else NotExact

  /** Whether no row was shed that this unmatched one could have matched, so that its null row is one for certain. Rows of
    * joins that are not outer are never certain once a row was shed. O(1).
    */
  def isCertainlyUnmatched(side: Int, key: Int, time: Long): Boolean =
    shedRows == 0 || settings.isOuter && record.hasNoneSince(Side.other(side), key, reach(side).earliest(time))

  private def reach(side: Int): Reach = if (side == Side.Left) leftReach else rightReach

  /** How much was found of all there was, since the start or `startAnew`. */
  def estimate: RecallEstimate = estimateOf(Seq(Side.Left, Side.Right))

  /** The same of the results whose later row is of `side`. */
  def estimate(side: Int): RecallEstimate = estimateOf(Seq(Side.other(side)))

  private def estimateOf(earlier: Seq[Int]): RecallEstimate =
    if (shedRows == 0) RecallEstimate.Exact else RecallInterval(losses, earlier, hasResidual)

  /** What was found and lost so far counts no longer. O(cells). */
  def startAnew(): Unit = {
    losses.clear()
    cells.forgetSums()
  }

  /** The partners that rows meet by age, of stored rows and ghosts together. */
  def ages: AgeCurveSource = matchAges

  def partners(side: Int, key: Int): Double = sketch.inTheMean(KeySketch.Matches + side, key)
  def rows(side: Int, key: Int): Double = sketch.inTheMean(KeySketch.Arrivals + side, key)

  /** Writes all that it knows. O(its bytes). */
  def save(out: DataOutput): Unit = {
    Seq(tick, shedRows, shedReach).foreach(out.writeLong)
    out.writeBoolean(hasResidual)
    sketch.save(out)
    record.save(out)
    losses.save(out)
    matchAges.save(out)
    cells.save(out)
  }

  /** Takes over what was saved by one of the same settings. */
  def restore(in: DataInput): Unit = {
    tick = in.readLong()
    shedRows = in.readLong()
    shedReach = in.readLong()
    hasResidual = in.readBoolean()
    sketch.restore(in)
    record.restore(in)
    losses.restore(in)
    matchAges.restore(in)
    cells.restore(in)
  }

  def checkInvariants(): Unit = cells.checkInvariants()
}

object GhostLedger {

  /** What `exactSince` says while results may be missing. */
  val NotExact: Long = Long.MaxValue
}
