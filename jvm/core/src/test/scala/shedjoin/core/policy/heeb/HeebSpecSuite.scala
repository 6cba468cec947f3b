package shedjoin.core.policy.heeb

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.Budget
import shedjoin.core.join.Side
import shedjoin.core.policy.{PolicyRegistry, PolicySetting, RowFacts, TestRow, TestRows}

class HeebSpecSuite extends AnyFunSuite {

  /** The victim among a left row whose partner comes in 5 steps and a right one whose partner comes in 8. */
  private def victim(windows: Seq[Long], settings: Map[String, String]): Int = {
    val rows = new TestRows
    rows.stored(0) = TestRow(Side.Left, 5, 100, 1, 0, 0)
    rows.stored(1) = TestRow(Side.Right, 8, 100, 1, 0, 0)
    val trend = Map("model" -> "trend", "alpha" -> "10", "left_slope" -> "1", "right_slope" -> "1")
    val setting = PolicySetting(rows, Budget.unlimited, 1, windows = windows)
    val policy = PolicyRegistry("heeb")(trend ++ settings, setting)
    policy.advance(0)
    rows.stored.keys.foreach(policy.arrived(_, 0))
    policy.nextVictim()
  }

  test("partners that come after a side's window count nothing for its rows, in steps of ticks") {
    val never = RowFacts.Never
    assert(victim(Seq(never, never), Map.empty) == 1)
    assert(victim(Seq(5, never), Map.empty) == 1 && victim(Seq(4, never), Map.empty) == 0)
    assert(victim(Seq(4, 7), Map("left_slope" -> "2")) == 0, "a right row meets its partner in 4 steps")
    val twice = Map("ticks_a_step" -> "2")
    assert(victim(Seq(10, never), twice) == 1 && victim(Seq(9, never), twice) == 0)
    assert(victim(Seq(10, never), twice + ("alpha" -> "learned")) == 1)
    assert(victim(Seq(9, never), twice + ("alpha" -> "learned")) == 0)
  }
}
