package shedjoin.core.ledger

import scala.collection.mutable
import scala.util.Random

import shedjoin.core.Budget

/** A random stream whose rows are stored or shed by lot, told to a ledger, and looked at by brute force beside it. */
final class LedgerHistory(
    settings: LedgerSettings,
    keys: Int,
    before: Long,
    after: Long,
    kept: Double,
    random: Random
) {
  val budget = new Budget(settings.bytes)
  var ledger = new GhostLedger(settings, budget)
  private val stored, shed = Array.fill(2)(mutable.Map.empty[Int, mutable.ArrayBuffer[Long]])
  private var tick = 0L
  var found, lost = 0L

  /** What the ledger said was lost, row by row. */
  var told = 0.0

  private def life(side: Int): Long = if (side == 0) after else before

  def step(): Unit = {
    tick += random.nextInt(3).toLong
    ledger.advance(tick, tick - after - 1, tick - before - 1)
    val side = random.nextInt(2)
    val key = math.min(random.nextInt(keys), random.nextInt(keys))
    told += ledger.arrived(side, key, tick)
    inReach(stored, 1 - side, key).foreach { time =>
      found += 1
      ledger.matched(1 - side, key, time, tick)
    }
    lost += inReach(shed, 1 - side, key).size
    val keeps = random.nextDouble() < kept
    (if (keeps) stored else shed) (side).getOrElseUpdate(key, mutable.ArrayBuffer.empty) += tick
    if (!keeps) ledger.shed(side, key, tick, tick + life(side))
  }

  private def inReach(rows: Array[mutable.Map[Int, mutable.ArrayBuffer[Long]]], side: Int, key: Int): Seq[Long] =
    rows(side).get(key).fold(Seq.empty[Long])(_.filter(_ >= tick - life(side)).toSeq)

  /** Whether some shed row could have matched a row of `side`. */
  def couldHaveMatched(side: Int, key: Int, time: Long): Boolean = {
    val (from, to) = if (side == 0) (time - before, time + after) else (time - after, time + before)
    shed(1 - side).get(key).exists(_.exists(t => t >= from && t <= to))
  }

  def now: Long = tick
}

object LedgerHistory {

  /** What a ledger takes; objects and references beside their arrays are not counted, as elsewhere. */
  def bytes(settings: LedgerSettings): Long = {
    import settings.{cells, recordWidth, sketchWidth}
    KeySketch.bytes(sketchWidth) + ShedRecord.bytes(recordWidth) + MatchAges.bytes + LossSums.bytes +
      GhostCells.bytes(cells)
  }
}
