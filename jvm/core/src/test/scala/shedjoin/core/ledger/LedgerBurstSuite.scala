package shedjoin.core.ledger

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.Budget
import shedjoin.core.join.Side

/** Intervals where partners come in bursts: a lone ghost that is not remembered may have lost many results at once. */
class LedgerBurstSuite extends AnyFunSuite {
  private val keys = 4000
  private val found = 2000
  private val window = 100000L

  /** A ledger that was told of one shed row a key, and of `bursts` keys each of which then met so many partners. */
  private def estimate(seed: Int, bursts: Int, length: Int): RecallEstimate = {
    val settings = LedgerSettings.within(1 << 14, 0, window, isOuter = false, seed.toLong)
    val ledger = new GhostLedger(settings, Budget.unlimited)
    val random = new Random(seed)
    def advance(tick: Int): Unit = ledger.advance(tick.toLong, tick - window - 1, tick - 1L)
    (0 until keys).foreach { key =>
      advance(key)
      ledger.arrived(Side.Left, key, key.toLong)
      ledger.shed(Side.Left, key, key.toLong, key + window)
    }
    (1 to found).foreach(_ => ledger.matched(Side.Left, keys, keys.toLong, keys.toLong))
    random.shuffle((0 until keys).toList).take(bursts).zipWithIndex.foreach { case (key, i) =>
      advance(keys + i)
      (1 to length).foreach(_ => ledger.arrived(Side.Right, key, keys.toLong + i))
    }
    ledger.estimate
  }

  for ((bursts, length) <- Seq((40, 1), (8, 40)))
    test(s"the intervals of 200 ledgers cover what $bursts keys lost that met $length partners each") {
      val recall = found.toDouble / (found + bursts * length)
      val all = (1 to 200).map(estimate(_, bursts, length))
      val covered = all.count(e => e.low <= recall && recall <= e.high)
      val mean = all.map(_.lost).sum / all.size
      info(
        f"covered $covered, lost ${bursts * length}%d, told $mean%.0f in the mean, width ${all.map(e => e.high - e.low).sum / 200}%.3f"
      )
      assert(covered >= 180)
    }
}
