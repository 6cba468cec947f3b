package shedjoin.state

import scala.util.Random

import org.openjdk.jol.info.GraphLayout
import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.join.JoinKind
import shedjoin.core.{Budget, BudgetExceeded, Seeded}

/** What the state takes of the heap, by measuring its objects, against what its budget counts. */
class ObjectGraphSuite extends AnyFunSuite with Seeded {
  import Histories._

  private var points = 0
  private var tightest = 0.0

  private def assertCounted(state: JoinState): Unit = {
    val measured = GraphLayout.parseInstance(state).totalSize
    val counted = state.budget.usedBytes
    assert(measured <= counted, s"$measured bytes measured, $counted counted at point $points")
    assert(counted <= state.budget.limitBytes)
    points += 1
    tightest = math.max(tightest, measured.toDouble / counted)
  }

  /** Batches with removals at random; measured in mid-batch, after it, after a rollback, after cleaning. */
  private def assertGrowing(state: JoinState, random: Random, rows: Int, keys: Int): Unit = {
    assertCounted(state)
    val reach = someReach(random)
    val shape = shapeOf(JoinKind.FullOuter, reach, shedjoin.core.join.JoinShape.NoBound)
    batches(random, 6, rows, keys, 100).foreach { batch =>
      state.begin()
      if (random.nextInt(3) == 0) assertCounted(state)
      try {
        batch.left.take(random.nextInt(rows)).foreach(stage(state, _))
        if (random.nextInt(3) == 0) assertCounted(state)
        state.rollback()
        runBatch(state, batch, shape)
        random.shuffle(allIds(state)).take(random.nextInt(rows * 2)).foreach(state.remove)
      } catch { case _: BudgetExceeded => state.rollback() }
      assertCounted(state)
      if (random.nextInt(5) == 0) {
        state.rollback()
        assertCounted(state)
      }
    }
  }

  test("at a thousand points of random histories the measured size is at most what is counted") {
    histories(90) { random =>
      val limit = if (random.nextBoolean()) Budget.unlimited.limitBytes else 120000L + random.nextInt(400000)
      val state = new JoinState(new Budget(limit), if (random.nextBoolean()) 16 * 1024 else 64 * 1024)
      assertGrowing(state, random, 10 + random.nextInt(120), 1 + random.nextInt(2000))
    }
    overall(assert(points >= 1000, s"$points points"))
    info(f"$points points, the tightest at ${tightest * 100}%.1f %% of what is counted")
  }

  test("and while the tables of a large state grow, one column after the other") {
    val random = new Random(3)
    val state = new JoinState(Budget.unlimited, 64 * 1024)
    assertGrowing(state, random, 20000, 100000)
  }
}
