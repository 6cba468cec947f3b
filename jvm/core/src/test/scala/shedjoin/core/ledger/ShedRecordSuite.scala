package shedjoin.core.ledger

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.join.{JoinShape, Side}
import shedjoin.core.{Budget, Seeded}

/** Which unmatched rows are called certain, to the tick: those whose reach begins after the latest row shed of their key. */
class ShedRecordSuite extends AnyFunSuite with Seeded {
  private val key = 7
  private val (before, after) = (10L, 20L)

  private def newLedger =
    new GhostLedger(LedgerSettings.within(1 << 14, before, after, isOuter = true, 1), Budget.unlimited)

  /** The earliest row of the other side that one at `time` meets. */
  private def earliest(side: Int, time: Long): BigInt = BigInt(time) - (if (side == Side.Left) before else after)

  /** The earliest time of all is taken for the next one. */
  private def known(last: Long): Long = math.max(last, Long.MinValue + 1)

  private def shed(ledger: GhostLedger, side: Int, time: Long): Unit = ledger.shed(side, key, time, time)

  private def someTime(random: Random): Long = random.nextInt(12) match {
    case 0 => Long.MinValue + random.nextInt(2)
    case 1 => Long.MaxValue - 1 - random.nextInt(2)
    case _ => random.nextInt(200).toLong - 100
  }

  test("a row is certain from the first tick on whose reach the latest shed row is not in, and at none before") {
    histories(300) { random =>
      val ledger = newLedger
      val latest = Array(Option.empty[Long], Option.empty[Long])
      (1 to 6).foreach { _ =>
        val (side, time) = (random.nextInt(2), someTime(random))
        shed(ledger, side, time)
        latest(side) = Some(latest(side).fold(time)(math.max(_, time)))
        for (asking <- Seq(Side.Left, Side.Right); last <- latest(Side.other(asking)); around <- -25L to 25L) {
          val asked = last + around
          if (asked != JoinShape.NoTime && (asked < last) == (around < 0))
            assert(
              ledger.isCertainlyUnmatched(asking, key, asked) == earliest(asking, asked) > known(last),
              s"$asked, $last"
            )
        }
      }
    }
  }

  test("of a side that lost nothing, all rows of the other are certain, whatever their time") {
    for (side <- Seq(Side.Left, Side.Right); time <- Seq(Long.MinValue, -1L, 0L, Long.MaxValue - 1, JoinShape.NoTime)) {
      val ledger = newLedger
      shed(ledger, side, time)
      Seq(Long.MinValue, -30L, 0L, Long.MaxValue - 1, JoinShape.NoTime).foreach { asked =>
        assert(ledger.isCertainlyUnmatched(side, key, asked))
      }
    }
  }

  test("after a row without a time was shed no row of its key is certain, nor is one without a time after any") {
    val ledger = newLedger
    shed(ledger, Side.Left, 0)
    assert(!ledger.isCertainlyUnmatched(Side.Right, key, JoinShape.NoTime))
    shed(ledger, Side.Left, JoinShape.NoTime)
    Seq(-1000L, 1000L, Long.MaxValue - 1).foreach(t => assert(!ledger.isCertainlyUnmatched(Side.Right, key, t)))
  }
}
