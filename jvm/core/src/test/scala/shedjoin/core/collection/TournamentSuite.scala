package shedjoin.core.collection

import scala.collection.mutable

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.{Budget, BudgetExceeded, NoRow, RefusingBudget, Seeded}

class TournamentSuite extends AnyFunSuite with Seeded {

  /** Rows that fall along lines; equal ranks go by id. Turns are found by trying. */
  final private class Lines extends RowOrder {
    val height, fall = mutable.HashMap.empty[Int, Int]
    var tick = 0L
    def rank(row: Int, at: Long): Long = height(row) - fall(row) * at
    def before(a: Int, b: Int, at: Long): Boolean =
      rank(a, at) < rank(b, at) || rank(a, at) == rank(b, at) && a < b
    def compare(a: Int, b: Int): Int = Integer.compare(a, b)
    override def isEarlier(a: Int, b: Int): Boolean = before(a, b, tick)
    override def holdsUntil(first: Int, second: Int): Long =
      (tick + 1 to tick + 200).find(!before(first, second, _)).getOrElse(RowOrder.Forever)
  }

  test("the first row is the least one now, through rows that come, go and change, and time") {
    histories(200) { random =>
      val lines = new Lines
      val rows = new Tournament(lines, Budget.unlimited)
      val stored = mutable.Set.empty[Int]
      def draw(row: Int): Unit = {
        lines.height(row) = random.nextInt(200)
        lines.fall(row) = random.nextInt(6)
      }
      (1 to 60).foreach { _ =>
        val row = random.nextInt(if (random.nextInt(10) == 0) 700 else 40)
        random.nextInt(4) match {
          case 0 if stored(row) =>
            rows.remove(row)
            stored -= row
          case 2 =>
            lines.tick += random.nextInt(6)
            rows.advance(lines.tick)
          case _ if !stored(row) =>
            draw(row)
            rows.ensureRoom(row)
            rows.add(row)
            stored += row
          case _ => ()
        }
        rows.checkInvariants()
        val expected = stored.toSeq.sortWith(lines.isEarlier).headOption
        assert(rows.first == expected.getOrElse(NoRow))
      }
    }
  }

  test(
    "after room was made for a row, it is added without asking the budget, at whatever allocation that failed before"
  ) {
    histories(100) { random =>
      val budget = new RefusingBudget(1L << 40)
      val lines = new Lines
      val rows = new Tournament(lines, budget)
      val taken = mutable.TreeSet.empty[Int]
      (1 to 15).foreach { _ =>
        val row = random.nextInt(5000)
        if (taken.add(row)) {
          lines.height(row) = random.nextInt(50)
          lines.fall(row) = 0
          val nth = 1 + random.nextInt(8)
          budget.watch(_ == nth)
          try rows.ensureRoom(row)
          catch { case _: BudgetExceeded => () }
          rows.checkInvariants()
          budget.allowAll()
          rows.ensureRoom(row)
          budget.watch(_ => true)
          rows.add(row)
        }
      }
      rows.checkInvariants()
      assert(rows.first == taken.minBy(row => (lines.height(row), row)))
    }
  }
}
