package shedjoin.state

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.Budget
import shedjoin.core.join._

/** Rows under ever new keys, which go in every way there is: what they held, their keys above all, serves the next ones. */
class FreshKeysSuite extends AnyFunSuite {
  import Histories._

  private val rounds = 60
  private val rows = 400

  /** Rows of a round, with keys of their own; every other key is a word. */
  private def fresh(round: Int): Seq[TestRow] = (0 until rows).map { i =>
    val key = round * rows + i
    TestRow(if (i % 2 == 0) key else Wide + key, round.toLong, i, 0)
  }

  private def shape(kind: JoinKind, bound: Long): JoinShape =
    JoinShape(kind, bound, bound, Reach.Everything, Reach.Everything)

  private def assertServesTheNext(name: String)(round: (JoinState, Int) => Unit): Unit =
    test(name) {
      val state = new JoinState(Budget.unlimited, 16 * 1024)
      val used = (1 to rounds).map { i =>
        state.begin()
        round(state, i)
        state.budget.usedBytes
      }
      val (early, late) = used.splitAt(rounds / 2)
      assert(late.max <= early.max, s"$used")
      state.begin()
      state.checkInvariants()
    }

  assertServesTheNext("right rows that are not stored, as they expire with their batch") { (state, i) =>
    runBatch(state, Batch(Nil, fresh(i), 0), shape(JoinKind.Inner, i.toLong))
  }

  assertServesTheNext("left rows that are not stored, as they come out of a left semi join at once") { (state, i) =>
    val partners = fresh(i).map(row => row.copy(value = if (row.value % 3 == 0) 1 else 3))
    runBatch(state, Batch(fresh(i), partners, 0), shape(JoinKind.LeftSemi, i.toLong))
  }

  assertServesTheNext("rows that expire in the next batch") { (state, i) =>
    runBatch(state, Batch(fresh(i), Nil, 0), shape(JoinKind.LeftOuter, i - 1L))
  }

  assertServesTheNext("rows that are removed") { (state, i) =>
    runBatch(state, Batch(fresh(i), Nil, 0), shape(JoinKind.Inner, JoinShape.NoBound))
    allIds(state).foreach(state.remove)
  }

  assertServesTheNext("rows that are staged when their batch is undone") { (state, i) =>
    fresh(i).foreach(stage(state, _))
    if (i % 2 == 0) state.arrange()
    state.rollback()
  }

  assertServesTheNext("rows that are stored when their batch is undone") { (state, i) =>
    runBatch(state, Batch(fresh(i), fresh(i), 0), shape(JoinKind.FullOuter, JoinShape.NoBound))
    state.rollback()
  }
}
