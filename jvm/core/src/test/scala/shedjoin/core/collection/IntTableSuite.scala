package shedjoin.core.collection

import scala.collection.mutable

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.{Budget, BudgetExceeded, Seeded}

class IntTableSuite extends AnyFunSuite with Seeded {

  test("cells and longs follow a model through growth and trims, and new cells are 0") {
    histories(1500) { random =>
      val stride = 1 << random.nextInt(4)
      val budget = Budget.unlimited
      val table = new IntTable(stride, budget, 4 + random.nextInt(2))
      val model = mutable.HashMap.empty[(Int, Int), Int]
      (1 to 40).foreach { _ =>
        random.nextInt(10) match {
          case 0 => table.ensure(random.nextInt(150))
          case 1 =>
            table.trim(random.nextInt(150))
            model.filterInPlace((cell, _) => cell._1 < table.capacity)
          case _ if table.capacity == 0 => ()
          case 2 if stride >= 2 =>
            val (row, field, value) = (random.nextInt(table.capacity), random.nextInt(stride - 1), random.nextLong())
            table.putLong(row, field, value)
            assert(table.getLong(row, field) == value)
            model((row, field)) = (value >>> 32).toInt
            model((row, field + 1)) = value.toInt
          case _ =>
            val (row, field, value) = (random.nextInt(table.capacity), random.nextInt(stride), random.nextInt())
            table(row, field) = value
            model((row, field)) = value
        }
        for (row <- 0 until table.capacity; field <- 0 until stride) {
          assert(table(row, field) == model.getOrElse((row, field), 0))
          assert(table.chunk(row)(table.base(row) + field) == table(row, field))
        }
      }
    }
  }

  test("a table that may not grow keeps every row as it was, at each allocation in turn") {
    (1 to 40).foreach { chunks =>
      val budget = new Budget(200L + chunks * 97L)
      val table = new IntTable(2, budget, 4)
      var rows = 0
      intercept[BudgetExceeded] {
        while (true) {
          table.ensure(rows + 1)
          table(rows, 0) = rows
          rows += 1
          assert(budget.usedBytes <= budget.limitBytes)
        }
      }
      (0 until rows).foreach(row => assert(table(row, 0) == row))
      assert(table.capacity == rows)
    }
  }

  test("a trim gives back what the chunks cost, and only whole chunks") {
    val budget = Budget.unlimited
    val table = new IntTable(1, budget, 4)
    table.ensure(16 * 8)
    val full = budget.usedBytes
    table.trim(17)
    assert(table.capacity == 32 && full - budget.usedBytes == 6 * Budget.arrayBytes(16, 4))
    table.trim(32)
    assert(table.capacity == 32)
    table.trim(0)
    assert(table.capacity == 0)
  }
}
