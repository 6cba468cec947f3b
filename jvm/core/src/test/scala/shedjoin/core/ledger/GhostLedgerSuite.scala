package shedjoin.core.ledger

import java.io.{ByteArrayInputStream, ByteArrayOutputStream, DataInputStream, DataOutputStream}

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.{Budget, BudgetExceeded, Seeded}

class GhostLedgerSuite extends AnyFunSuite with Seeded {

  private def history(
      bytes: Long,
      keys: Int,
      seed: Int,
      life: Long = 16,
      kept: Double = 0.5,
      isOuter: Boolean = false
  ) = {
    val settings = LedgerSettings.within(bytes, life, life / 2, isOuter, seed.toLong)
    new LedgerHistory(settings, keys, life, life / 2, kept, new Random(seed))
  }

  private def saved(ledger: GhostLedger): Array[Byte] = {
    val bytes = new ByteArrayOutputStream
    ledger.save(new DataOutputStream(bytes))
    bytes.toByteArray
  }

  private def restarted(ledger: GhostLedger): GhostLedger = {
    val next = new GhostLedger(ledger.settings, Budget.unlimited)
    next.restore(new DataInputStream(new ByteArrayInputStream(saved(ledger))))
    next
  }

  test("all memory is asked for at once, is what the settings say, and never grows") {
    Seq(8192L, 10000L, 22400L, 1L << 20).foreach { bytes =>
      Seq(true, false).foreach { isOuter =>
        val run = history(bytes, 3000, 1, life = 4000, isOuter = isOuter)
        val used = run.budget.usedBytes
        assert(
          used == LedgerHistory.bytes(run.ledger.settings) && used <= bytes && used > bytes * 7 / 10,
          s"$used of $bytes"
        )
        (1 to 5000).foreach(_ => run.step())
        run.ledger.checkInvariants()
        assert(run.budget.usedBytes == used && run.budget.peakBytes == used)
        assertThrows[BudgetExceeded](new GhostLedger(run.ledger.settings, new Budget(used - 1)))
      }
    }
  }

  test("a ledger with room for all ghosts counts every lost result, and is sure of it") {
    histories(20) { random =>
      val run = history(1 << 16, 2 + random.nextInt(20), random.nextInt())
      (1 to 3000).foreach(_ => run.step())
      assert(run.lost > 0 && run.told == run.lost.toDouble)
      val estimate = run.ledger.estimate
      val recall = run.found.toDouble / (run.found + run.lost)
      assert(Seq(estimate.recall, estimate.low, estimate.high).forall(r => math.abs(r - recall) < 1e-12))
      assert(!estimate.isUnreliable && math.abs(estimate.lost - run.lost) < 1e-6)
    }
  }

  /** As a policy sheds the rows of a hot key that weighs the life they have left: 4 standard errors fail once in 16,000. */
  test(
    "rows shed just before their windows end are counted right, though the others of their bucket are out of reach"
  ) {
    val ratios = (1 to 60).map(seed => toldOfTheOldest(new Random(seed.toLong), life = 4000, left = 30))
    val mean = ratios.sum / ratios.size
    val error = math.sqrt(ratios.map(r => (r - mean) * (r - mean)).sum / (ratios.size - 1) / ratios.size)
    info(f"mean $mean%.4f, standard error $error%.4f")
    assert(math.abs(mean - 1) < math.max(4 * error, .02))
  }

  /** What a ledger says was lost, as a part of that, where the rows of a key are shed when they have so much life left. */
  private def toldOfTheOldest(random: Random, life: Int, left: Int): Double = {
    val ledger =
      new GhostLedger(LedgerSettings.within(1 << 16, life.toLong, life.toLong, isOuter = false, 1), Budget.unlimited)
    val rows = Array.fill(20 * life)(random.nextInt(12) == 0)
    var lost, told = 0.0
    rows.indices.foreach { tick =>
      ledger.advance(tick.toLong, tick - life - 1L, tick - life - 1L)
      if (rows(tick)) {
        told += ledger.arrived(1, 7, tick.toLong)
        lost += rows.slice(tick - life, tick - life + left).count(identity)
      }
      val oldest = tick - life + left
      if (oldest >= 0 && rows(oldest)) ledger.shed(0, 7, oldest.toLong, oldest.toLong + life)
    }
    told / lost
  }

  test(
    "a ledger says unreliable as long as it has met none or few of the ghosts it remembers, and not when it met many"
  ) {
    histories(20) { random =>
      val rows = 20000
      val window = 2L * rows
      val ledger =
        new GhostLedger(LedgerSettings.within(8192, 0, window, isOuter = false, random.nextLong()), Budget.unlimited)
      (0 until rows).foreach { key =>
        ledger.advance(key.toLong, key - window - 1, key - 1L)
        ledger.shed(0, key, key.toLong, key + window)
        ledger.matched(0, rows, key.toLong, key.toLong)
      }
      def isUnreliableAfter(keys: Range): Boolean = {
        keys.foreach(key => ledger.arrived(1, key, rows.toLong))
        ledger.estimate.isUnreliable
      }
      assert(isUnreliableAfter(0 until 1) && isUnreliableAfter(1 until 300))
      assert(!isUnreliableAfter(300 until rows))
    }
  }

  test("nothing shed is exactly 1") {
    val run = history(8192, 50, 1, kept = 2)
    (1 to 500).foreach(_ => run.step())
    assert(run.ledger.estimate == RecallEstimate.Exact && run.ledger.exactSince == Long.MinValue)
  }

  /** 120 ledgers of one stream, that differ by their draws: 4 standard errors fail once in 16,000. */
  test(
    "thinned, saved and restored over and over, the lost results are right in the mean, and mostly in the interval"
  ) {
    val told = (1 to 120).map { seed =>
      val settings = LedgerSettings.within(8192, 600, 300, isOuter = false, seed.toLong)
      val run = new LedgerHistory(settings, 1500, 600, 300, 0.4, new Random(7))
      (1 to 4000).foreach { step =>
        run.step()
        if (step % 500 == 0) run.ledger = restarted(run.ledger)
      }
      val estimate = run.ledger.estimate
      val recall = run.found.toDouble / (run.found + run.lost)
      (run.told / run.lost, estimate.low <= recall && recall <= estimate.high)
    }
    val ratios = told.map(_._1)
    val mean = ratios.sum / ratios.size
    val error = math.sqrt(ratios.map(r => (r - mean) * (r - mean)).sum / (ratios.size - 1) / ratios.size)
    info(f"mean $mean%.4f, standard error $error%.4f, covered ${told.count(_._2)} of ${told.size}")
    assert(error > 0.001 && math.abs(mean - 1) < 4 * error)
    assert(told.count(_._2) >= 105)
  }

  test("a ledger restored in mid-stream goes on bit by bit") {
    histories(6) { random =>
      val seed = random.nextInt()
      val straight = history(8192, 2000, seed, life = 1000, isOuter = true)
      val stopped = history(8192, 2000, seed, life = 1000, isOuter = true)
      (1 to 3000).foreach { step =>
        straight.step()
        stopped.step()
        if (step % 400 == 0) stopped.ledger = restarted(stopped.ledger)
      }
      assert(saved(straight.ledger).sameElements(saved(stopped.ledger)) && straight.told == stopped.told)
    }
  }

  test(
    "no row is called certainly unmatched that a shed row could have matched, and keys that lost nothing get theirs"
  ) {
    histories(10) { random =>
      val run = history(1 << 14, 400, random.nextInt(), life = 100, kept = 0.97, isOuter = true)
      var certain = 0
      (1 to 1500).foreach { _ =>
        run.step()
        val (side, key, time) = (random.nextInt(2), random.nextInt(400), run.now - random.nextInt(100))
        if (run.ledger.isCertainlyUnmatched(side, key, time)) {
          certain += 1
          assert(!run.couldHaveMatched(side, key, time))
        }
      }
      assert(certain > 1000)
    }
  }

  test("results are exact again when the window of the last shed row has passed") {
    val ledger = new GhostLedger(LedgerSettings.within(8192, 10, 20, isOuter = true, 1), Budget.unlimited)
    ledger.advance(100, 79, 89)
    ledger.shed(0, 1, 100, 120)
    ledger.shed(1, 2, 100, 110)
    assert(ledger.exactSince == GhostLedger.NotExact)
    ledger.advance(120, 99, 109)
    assert(ledger.exactSince == GhostLedger.NotExact)
    ledger.advance(121, 100, 110)
    assert(ledger.exactSince == 121)
  }

  test("lost results are corrected by the share of candidates that pass, and the estimate says so") {
    val ledger = new GhostLedger(LedgerSettings.within(8192, 10, 20, isOuter = false, 1), Budget.unlimited)
    ledger.advance(0, -21, -11)
    (1 to 100).foreach(_ => ledger.shed(0, 5, 0, 20))
    (1 to 400).foreach(i => if (i % 4 == 0) ledger.matched(0, 9, 0, 0) else ledger.rejected(0))
    ledger.advance(1, -20, -10)
    ledger.arrived(1, 5, 1)
    val estimate = ledger.estimate
    assert(estimate.isCorrected && math.abs(estimate.lost - 25) < 1e-9 && math.abs(estimate.recall - 0.8) < 1e-9)
    assert(estimate.low < 0.8 && 0.8 < estimate.high)
  }

  /** Each left row meets a right one at age 320 to 639 of 640, whatever is shed of the left. */
  test("the age curve is that of all rows, whichever were kept") {
    Seq(0.0, 0.3, 1.0).foreach { kept =>
      val random = new Random(3)
      val ledger = new GhostLedger(LedgerSettings.within(1 << 15, 0, 640, isOuter = false, 1), Budget.unlimited)
      val isKept = Array.fill(20000)(random.nextDouble() < kept)
      (0 until 20000).foreach { tick =>
        ledger.advance(tick.toLong, tick - 641L, tick - 1L)
        ledger.arrived(0, tick, tick.toLong)
        if (!isKept(tick)) ledger.shed(0, tick, tick.toLong, tick + 640L)
        val partner = tick - 320 - random.nextInt(320)
        ledger.arrived(1, partner, tick.toLong)
        if (partner >= 0 && isKept(partner)) ledger.matched(0, partner, partner.toLong, tick.toLong)
      }
      val curve = (0 until ledger.ages.bins).map(ledger.ages.partners(0, _))
      val width = ledger.ages.binTicks(0)
      val early = curve.zipWithIndex.filter { case (_, bin) => (bin + 1) * width <= 310 }.map(_._1)
      info(s"$kept: early ${early.sum}, in all ${curve.sum}")
      assert(early.sum < 0.05 && math.abs(curve.sum - 1) < 0.15)
    }
  }

  test("partner counts are right in the mean, whichever rows were kept") {
    val ledger = new GhostLedger(LedgerSettings.within(1 << 16, 0, 100, isOuter = false, 1), Budget.unlimited)
    (0 until 2000).foreach { tick =>
      ledger.advance(tick.toLong, tick - 101L, tick - 1L)
      val key = tick % 10
      ledger.arrived(0, key, tick.toLong)
      ledger.shed(0, key, tick.toLong, tick + 100L)
      if (tick % 10 == 3) ledger.arrived(1, 3, tick.toLong)
    }
    // A row of key 3 meets itself at once and ten later ones.
    val ratio = ledger.partners(0, 3) / ledger.rows(0, 3)
    assert(math.abs(ratio - 11) < 1 && math.abs(ledger.partners(0, 4)) < 5 * ledger.rows(0, 4) / 10)
  }
}
