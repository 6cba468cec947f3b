package shedjoin.core.collection

import scala.collection.mutable

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.{BudgetExceeded, NoRow, RefusingBudget, Seeded}

class RankTreeSuite extends AnyFunSuite with Seeded {

  /** Rows of odd and of even ids can not be told apart by content. */
  final private class Parity(seconds: Int => Long) extends RowOrder {
    override def second(row: Int): Long = seconds(row)
    def compare(a: Int, b: Int): Int = Integer.compare(a & 1, b & 1)
  }

  test("the first row is the least, by rank, second number and content") {
    histories(200) { random =>
      val budget = new RefusingBudget(1L << 40)
      val model = mutable.HashMap.empty[Int, (Long, Long)]
      val rows = new RankTree(new Parity(model(_)._2), budget)
      (1 to 100).foreach { _ =>
        val row = random.nextInt(if (random.nextInt(10) == 0) 5000 else 70)
        if (model.contains(row) && random.nextBoolean()) {
          rows.remove(row)
          model.remove(row)
        } else {
          val nth = 1 + random.nextInt(12)
          budget.watch(_ == nth)
          try rows.ensureRoom(row)
          catch { case _: BudgetExceeded => rows.checkInvariants() }
          budget.allowAll()
          rows.ensureRoom(row)
          budget.watch(_ => true)
          model(row) = (random.nextInt(4) - 2L, model.get(row).fold(random.nextInt(3).toLong)(_._2))
          rows.put(row, model(row)._1)
          assert(rows.rank(row) == model(row)._1)
        }
        rows.checkInvariants()
        def key(row: Int) = (model(row)._1, model(row)._2, row & 1)
        assert(if (model.isEmpty) rows.first == NoRow else key(rows.first) == model.keys.map(key).min)
      }
    }
  }
}
