package shedjoin.state

import scala.collection.mutable

import org.scalatest.funsuite.AnyFunSuite

import shedjoin.core.{Budget, RefusingBudget, Seeded}

class IdListSuite extends AnyFunSuite with Seeded {

  private def content(list: IdList): Seq[Int] = (0 until list.size).map(list(_))

  test("a list follows a model and sorts as the JDK does, sorted, reversed, with repeats, or empty") {
    histories(10000) { random =>
      val list = new IdList(Budget.unlimited)
      val model = mutable.ArrayBuffer.empty[Int]
      val range = 1 + random.nextInt(60)
      (1 to random.nextInt(60)).foreach { _ =>
        val id = random.nextInt(range) - range / 2
        list.add(id)
        model += id
      }
      val walked = mutable.ArrayBuffer.empty[Int]
      list.foreach(walked += _)
      assert(walked == model)
      if (random.nextBoolean()) {
        list.sort()
        assert(content(list) == model.sorted)
      } else {
        list.sort((a, b) => a > b)
        assert(content(list) == model.sorted.reverse)
      }
      list.clear()
      assert(list.size == 0)
    }
  }

  test("lists over many chunks sort, and clearing gives all but a chunk back") {
    histories(10) { random =>
      val budget = Budget.unlimited
      val list = new IdList(budget)
      list.add(0)
      list.clear()
      val empty = budget.usedBytes
      val model = Seq.fill(1000 + random.nextInt(6000))(random.nextInt())
      model.foreach(list.add)
      list.sort()
      assert(content(list) == model.sorted)
      list.clear()
      assert(budget.usedBytes - empty < 1000, "only the directory may stay wider")
    }
  }

  test("after room was made for some, that many are added without asking the budget") {
    val budget = new RefusingBudget(1L << 40)
    val list = new IdList(budget)
    Seq(1, 1023, 1, 1024, 5000).foreach { more =>
      budget.allowAll()
      list.ensureRoom(more)
      budget.watch(_ => true)
      (1 to more).foreach(list.add)
    }
    assert(list.size == 1 + 1023 + 1 + 1024 + 5000)
  }
}
