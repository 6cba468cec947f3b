package shedjoin.state

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.join.{JoinKind, JoinShape}
import shedjoin.core.{BudgetExceeded, RefusingBudget, Seeded}

/** A batch that runs out of budget, at each of its allocations in turn. */
class BudgetFaultSuite extends AnyFunSuite with Seeded {
  import Histories._

  private val pageBytes = 1024

  private type Refusal = (Int, Int) => Boolean

  /** Runs histories whose every batch is tried with its first, second, ... allocation refused, until none is. */
  private def everyAllocation(count: Int, isRefused: Refusal): Int = {
    var refused = 0
    histories(count) { random =>
      val budget = new RefusingBudget(1L << 40)
      val state = new JoinState(budget, pageBytes)
      val naive = new Naive
      val kind = someKind(random)
      val reach = someReach(random)
      batches(random, 5, 24, 1 + random.nextInt(20), 60).foreach { batch =>
        val shape = shapeOf(kind, reach, batch.bound)
        val before = contentById(state)
        val tick = (state.tick, state.rowsTaken)
        var n = 1
        var more = true
        while (more) {
          budget.watch(isRefused(n, _))
          more =
            try {
              state.begin()
              assert(
                multiset(runBatch(state, batch, shape)) == multiset(naive.copy.run(batch, shape)),
                s"allocation $n"
              )
              budget.refusedCount > 0
            } catch { case _: BudgetExceeded => true }
          if (more) {
            state.rollback()
            refused += 1
            assert(contentById(state) == before && (state.tick, state.rowsTaken) == tick, s"allocation $n")
            state.checkInvariants()
          }
          budget.allowAll()
          n += 1
        }
        naive.run(batch, shape)
        assert(content(state) == naive.content)
        state.checkInvariants()
      }
    }
    refused
  }

  test("an allocation is refused, and all after it: rollback needs none, and the same batch then runs with more") {
    assert(everyAllocation(150, (n, asked) => asked >= n) > 1000)
  }

  test("a single allocation is refused: what cleaning moves meanwhile, the batch finds where it lies") {
    assert(everyAllocation(150, (n, asked) => asked == n) > 1000)
  }

  test("a removal is refused each allocation in turn, and leaves the row where it was") {
    histories(100) { random =>
      val budget = new RefusingBudget(1L << 40)
      val state = new JoinState(budget, pageBytes)
      val shape = shapeOf(JoinKind.Inner, someReach(random), JoinShape.NoBound)
      state.begin()
      runBatch(state, batches(random, 1, 60, 6, 60).head, shape)
      val before = contentById(state)
      state.begin()
      budget.watch(_ >= 1 + random.nextInt(2))
      var expected = before
      allIds(state).foreach { id =>
        try {
          state.remove(id)
          expected -= id
        } catch { case _: BudgetExceeded => () }
        assert(state.holds(id) == expected.contains(id))
      }
      assert(contentById(state) == expected)
      state.checkInvariants()
      state.rollback()
      assert(contentById(state) == before)
      state.checkInvariants()
    }
  }

  test("a partition that is full keeps what was committed, for a larger budget or a smaller batch") {
    var full = 0
    histories(120) { random =>
      val files = new MemoryFiles
      val share = 90000L + random.nextInt(150000)
      val settings = StateSettings(share, deltasPerSnapshot = 3, versionsToRetain = 100)
      val live = new VersionedState(files, settings)
      val naive = new Naive
      var version = StateVersion.Empty
      val all = batches(random, 40, 60, 400, 1000, largest = 70000).iterator
      var isFull = false
      while (!isFull && all.hasNext) {
        val batch = all.next()
        val shape = shapeOf(JoinKind.FullOuter, Reach30, batch.bound)
        val attempt = live.open(version)
        val state = attempt.state
        try {
          runBatch(state, batch, shape)
          version = attempt.commit()
          naive.run(batch, shape)
        } catch {
          case _: BudgetExceeded =>
            isFull = true
            full += 1
            attempt.abort()
            val wider = new VersionedState(files.copy(), settings.copy(budgetBytes = share * 4 + (2 << 20)))
            val other = wider.open(version)
            val restored = other.state
            assert(content(restored) == naive.content && content(state) == naive.content)
            assert(multiset(runBatch(restored, batch, shape)) == multiset(naive.run(batch, shape)))
            assert(content(restored) == naive.content)
            other.commit()
        }
        assert(state.budget.peakBytes <= share)
        live.maintain()
      }
    }
    assert(full > 60, s"only $full of 120 budgets were ever full")
  }

  test("what a budget held when it was committed, it holds after a restart, and its files are still merged") {
    var full = 0
    histories(300) { random =>
      val files = new MemoryFiles
      val share = 90000L + random.nextInt(300000)
      val settings = StateSettings(share, deltasPerSnapshot = 1 + random.nextInt(5), versionsToRetain = 100)
      val live = new VersionedState(files, settings)
      var version = StateVersion.Empty
      var isFull = false
      batches(random, 60, 60, 400, 60 + random.nextInt(1000), largest = 70000).foreach { batch =>
        if (!isFull) {
          val attempt = live.open(version)
          val state = attempt.state
          try {
            runBatch(state, batch, shapeOf(JoinKind.FullOuter, Reach30, batch.bound))
            version = attempt.commit()
          } catch {
            case _: BudgetExceeded =>
              isFull = true
              full += 1
              attempt.abort()
          }
          live.maintain()
          assert(version.number - live.snapshotVersion <= settings.deltasPerSnapshot)
        }
      }
      val restored = new VersionedState(files, settings).open(version).state
      restored.checkInvariants()
      assert(restored.budget.peakBytes <= share)
    }
    assert(full > 200, s"only $full of 300 budgets were ever full")
  }

  test("a budget below the least refuses the state itself, and takes nothing for good") {
    (1 to 40).foreach { step =>
      val files = new MemoryFiles
      val state = new VersionedState(files, StateSettings(step * 8192L, 3, 2))
      try
        state.open(StateVersion.Empty).commit()
      catch { case e: BudgetExceeded => assert(e.limitBytes < StateSettings.LeastBytes) }
    }
  }

  private val Reach30 = shedjoin.core.join.Reach(-30, 10)
}
