package shedjoin.state

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.join._
import shedjoin.core.{Budget, BudgetExceeded, Seeded}

class JoinStateSuite extends AnyFunSuite with Seeded {
  import Histories._

  kinds.foreach { kind =>
    test(s"$kind: random batches give the naive join's rows and state") {
      histories(400) { random =>
        val reach = someReach(random)
        val state = new JoinState(Budget.unlimited, 16 * 1024)
        val naive = new Naive
        batches(random, 12, 30, 1 + random.nextInt(12), 100).foreach { batch =>
          val shape = shapeOf(kind, reach, batch.bound)
          state.begin()
          assert(multiset(runBatch(state, batch, shape)) == multiset(naive.run(batch, shape)))
          assert(content(state) == naive.content)
          state.checkInvariants()
        }
      }
    }

    test(s"$kind: batches whose rows come from outside, in one order, give the naive join's rows and state") {
      histories(400) { random =>
        val reach = someReach(random)
        val state = new JoinState(Budget.unlimited, 16 * 1024)
        val naive = new Naive
        batches(random, 12, 30, 1 + random.nextInt(12), 100).foreach { batch =>
          val shape = shapeOf(kind, reach, batch.bound)
          state.begin()
          val isUndone = random.nextInt(4) == 0
          if (isUndone) {
            val before = (content(state), state.tick)
            runMerged(state, batch, shape): Unit
            state.rollback()
            state.checkInvariants()
            assert((content(state), state.tick) == before)
          }
          // From one batch to the next rows may come in the other way.
          val found = if (random.nextInt(3) == 0) runBatch(state, batch, shape) else runMerged(state, batch, shape)
          assert(multiset(found) == multiset(naive.run(batch, shape)))
          assert(content(state) == naive.content)
          state.checkInvariants()
        }
      }
    }

    test(s"$kind: a batch undone leaves no trace, before and after the next begin") {
      histories(200) { random =>
        val reach = someReach(random)
        val state = new JoinState(Budget.unlimited, 16 * 1024)
        batches(random, 8, 30, 1 + random.nextInt(12), 100).foreach { batch =>
          val shape = shapeOf(kind, reach, batch.bound)
          val before = content(state)
          val tick = state.tick
          state.begin()
          val first = runBatch(state, batch, shape)
          val after = content(state)
          state.rollback()
          state.checkInvariants()
          assert(content(state) == before && state.tick == tick)
          if (random.nextBoolean()) state.begin()
          assert(multiset(runBatch(state, batch, shape)) == multiset(first))
          assert(content(state) == after)
          state.checkInvariants()
        }
      }
    }

    test(s"$kind: rows of a batch permuted give the same rows, the same next state and the same ids") {
      histories(100) { random =>
        val reach = someReach(random)
        val a = new JoinState(Budget.unlimited, 16 * 1024)
        val b = new JoinState(Budget.unlimited, 64 * 1024)
        batches(random, 8, 30, 1 + random.nextInt(12), 100).foreach { batch =>
          val shape = shapeOf(kind, reach, batch.bound)
          val shuffled = batch.copy(left = random.shuffle(batch.left), right = random.shuffle(batch.right))
          Seq(a, b).foreach(_.begin())
          assert(multiset(runBatch(a, batch, shape)) == multiset(runBatch(b, shuffled, shape)))
          assert(contentById(a) == contentById(b))
        }
      }
    }
  }

  test("arbitrary rows removed at random leave the others, with reuse of ids and bytes, and come back by rollback") {
    histories(1000) { random =>
      val budget = Budget.unlimited
      val state = new JoinState(budget, 16 * 1024)
      val shape = JoinShape(JoinKind.Inner, JoinShape.NoBound, JoinShape.NoBound, Reach.Everything, Reach.Everything)
      batches(random, 10, 30, 5, 100).foreach { batch =>
        state.begin()
        val before = content(state)
        runBatch(state, batch, shape)
        removeSome(state, random)
        state.checkInvariants()
        if (random.nextInt(3) == 0) {
          state.rollback()
          assert(content(state) == before)
          state.checkInvariants()
        }
      }
    }
  }

  test("what a history of removals held is given back: pages do not grow with rows long gone") {
    val budget = Budget.unlimited
    val state = new JoinState(budget, 16 * 1024)
    val shape = JoinShape(JoinKind.Inner, JoinShape.NoBound, JoinShape.NoBound, Reach.Everything, Reach.Everything)
    val random = new Random(7)
    var peak = 0L
    (1 to 300).foreach { round =>
      state.begin()
      runBatch(state, batches(random, 1, 100, 1000000, 100).head, shape)
      val ids = allIds(state)
      random.shuffle(ids).take(ids.size - 50).foreach(state.remove)
      if (round == 50) peak = budget.usedBytes
    }
    state.checkInvariants()
    assert(budget.usedBytes <= peak * 2, s"${budget.usedBytes} bytes after 300 rounds, $peak after 50")
  }

  test(
    "the clock moves as rows join, not while they are staged, and never back, whatever times follow rows without one"
  ) {
    val times = Seq(JoinShape.NoTime, -1L << 40, Long.MinValue, 5L, JoinShape.NoTime, 1L << 60, Long.MaxValue - 1)
    histories(200) { random =>
      val state = new JoinState(Budget.unlimited, 16 * 1024)
      var latest = state.tick
      val shape = shapeOf(JoinKind.Inner, Reach.Everything, JoinShape.NoBound)
      (1 to 6).foreach { _ =>
        state.begin()
        def rows() = Seq.fill(random.nextInt(4))(TestRow(random.nextInt(3), times(random.nextInt(times.size)), 1, 0))
        val batch = Batch(rows(), rows(), 0)
        if (random.nextBoolean()) {
          val step = batchOn(state, batch, shape, () => assert(state.tick >= latest))
          while (step.next()) {
            assert(state.tick >= latest)
            latest = state.tick
          }
        } else runMerged(state, batch, shape): Unit
        assert(state.tick >= latest)
        val timed = (batch.left ++ batch.right).map(_.time).filter(_ != JoinShape.NoTime)
        timed.filter(_ > latest).foreach(time => assert(state.tick >= time))
        latest = state.tick
      }
    }
    val state = new JoinState(Budget.unlimited, 16 * 1024)
    state.begin()
    val before = state.tick
    stage(state, TestRow(1, 77, 1, 0))
    stage(state, TestRow(1, JoinShape.NoTime, 1, 0))
    assert(state.tick == before)
    assert(state.tickAt(JoinShape.NoTime) == before + 1 && state.tickAt(JoinShape.NoTime) == before + 2)
    assert(state.tickAt(77) == 77 && state.tickAt(-5) == 77 && state.tickAt(JoinShape.NoTime) == 77)
  }

  test("a full budget stops a batch before it is passed, and the rows before it are all there") {
    histories(300) { random =>
      val budget = new Budget(150000L + random.nextInt(200000))
      val state = new JoinState(budget, 16 * 1024)
      val shape =
        JoinShape(JoinKind.FullOuter, JoinShape.NoBound, JoinShape.NoBound, Reach.Everything, Reach.Everything)
      var full = false
      val all = batches(random, 60, 60, 400, 100).iterator
      while (!full && all.hasNext) {
        val before = content(state)
        state.begin()
        try runBatch(state, all.next(), shape)
        catch {
          case _: BudgetExceeded =>
            full = true
            state.rollback()
            assert(content(state) == before)
        }
        state.checkInvariants()
        assert(budget.peakBytes <= budget.limitBytes)
      }
    }
  }

  test("a probe of a key with a million rows does not know of the million") {
    val state = new JoinState(Budget.unlimited, 64 * 1024)
    val wide = JoinShape(JoinKind.Inner, JoinShape.NoBound, JoinShape.NoBound, Reach(0, -1), Reach(0, -1))
    val rows = 1000000
    state.begin()
    val fill =
      oneSided(state, Side.Right, wide)((0 until rows).foreach(i => stage(state, TestRow(1, i * 10L, i, 0))))
    assert(!fill.next())
    state.begin()
    val random = new Random(1)
    val narrow = JoinShape(JoinKind.Inner, JoinShape.NoBound, JoinShape.NoBound, Reach(-49, 50), Reach(-50, 49))
    (1 to 1000).foreach { i =>
      val stepsBefore = state.probeSteps
      val time = 1000L + random.nextInt(rows * 10 - 2000) / 10 * 10
      val step = oneSided(state, Side.Left, narrow)(stage(state, TestRow(1, time, i, 0)))
      var found = 0
      while (step.next()) found += 1
      assert(found == 10)
      assert(step.candidatesSeen <= 10, "rows out of reach were looked at")
      assert(state.probeSteps - stepsBefore < 1000, s"${state.probeSteps - stepsBefore} links followed in probe $i")
    }
    assert(state.probeSteps < 1000 * 300, s"${state.probeSteps / 1000} links a probe")
  }

  private def removeSome(state: JoinState, random: Random): Unit =
    random.shuffle(allIds(state)).take(random.nextInt(30)).foreach(state.remove)
}
