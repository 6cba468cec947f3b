package shedjoin.core.policy.age

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.Budget
import shedjoin.core.policy.{PolicyRegistry, PolicySetting, TestRow, TestRows}

/** Examples 3.3 and 3.4 of paper 1: one row comes at each step from 1 on; which row goes at each step. */
class AgeExamplesSuite extends AnyFunSuite {

  /** The number of the row that goes at each step, 0 for none. */
  private def discarded(curve: String, window: Int, cells: Int, steps: Int): Seq[Int] = {
    val rows = new TestRows
    val settings = Map("left_curve" -> curve, "left_window" -> s"$window", "weigh" -> "nothing")
    val policy = PolicyRegistry("age")(settings, PolicySetting(rows, Budget.unlimited, 1))
    (1 to steps).map { step =>
      policy.advance(step.toLong)
      rows.stored(step) = TestRow(0, step, step.toLong + window, 1, step, step.toLong)
      policy.arrived(step, 0)
      if (rows.stored.size <= cells) 0
      else {
        val victim = policy.nextVictim()
        policy.removed(victim)
        rows.stored.remove(victim)
        victim
      }
    }
  }

  test("example 3.3: one cell keeps each row for 3 steps") {
    assert(discarded("1 1 2 1", 4, 1, 7) == Seq(0, 2, 3, 1, 5, 6, 4))
  }

  test("example 3.3 with two cells: the same, staggered") {
    assert(discarded("1 1 2 1", 4, 2, 7) == Seq(0, 0, 3, 1, 2, 6, 4))
  }

  test("example 3.4: rows stay for 1 and for 3 steps in turn") {
    assert(discarded("3 0 2", 3, 2, 7) == Seq(0, 0, 2, 1, 4, 3, 6))
  }
}
