package shedjoin.core.collection

import java.util.TreeSet

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.{Budget, BudgetExceeded, RefusingBudget, Seeded}

class IdPoolSuite extends AnyFunSuite with Seeded {

  /** The ids that are taken; the lowest free one is found by counting. */
  final private class Model {
    val taken = new TreeSet[Integer]
    var bound = 0

    def lowestFree: Int = Iterator.from(0).find(!taken.contains(_)).get
    def take(id: Int): Unit = {
      taken.add(id)
      bound = math.max(bound, id + 1)
    }
    def anyTaken(random: Random): Int = {
      val from = random.nextInt(bound)
      val found = taken.ceiling(from)
      if (found == null) taken.first else found
    }
  }

  private def check(pool: IdPool, model: Model): Unit = {
    pool.checkInvariants()
    assert(pool.bound == model.bound && (0 until pool.bound).count(pool.isTaken) == model.taken.size)
    (0 until model.bound + 40).foreach(id => assert(pool.isTaken(id) == model.taken.contains(id), s"id $id"))
  }

  test("the lowest free id is taken, whatever was taken and freed before") {
    histories(3000) { random =>
      val pool = new IdPool(Budget.unlimited)
      val model = new Model
      (1 to 80).foreach { _ =>
        random.nextInt(8) match {
          case 0 =>
            val id = random.nextInt(200)
            if (!model.taken.contains(id)) {
              pool.takeThis(id)
              model.take(id)
            }
          case 1 | 2 | 3 if !model.taken.isEmpty =>
            val id = model.anyTaken(random)
            pool.free(id)
            model.taken.remove(id)
          case _ =>
            val id = model.lowestFree
            assert(pool.take() == id)
            model.take(id)
        }
      }
      check(pool, model)
    }
  }

  test("ids in the ten thousands, over the borders of words and chunks") {
    histories(20) { random =>
      val pool = new IdPool(Budget.unlimited)
      val model = new Model
      (1 to 4).foreach { _ =>
        val id = Seq(31, 32, 1023, 1024, 8191, 8192, 32767, 32768, 40000)(random.nextInt(9))
        if (!model.taken.contains(id)) {
          pool.takeThis(id)
          model.take(id)
        }
      }
      (0 until 1100).foreach { _ =>
        val id = pool.take()
        assert(!model.taken.contains(id))
        model.take(id)
      }
      check(pool, model)
      (1 to 500).foreach { _ =>
        val id = model.anyTaken(random)
        pool.free(id)
        model.taken.remove(id)
        assert(model.lowestFree == pool.take())
        model.take(model.lowestFree)
      }
      check(pool, model)
    }
  }

  test("two pools with the same ids taken hand out the same ones next") {
    histories(500) { random =>
      val a, b = new IdPool(Budget.unlimited)
      val taken = random.shuffle((0 until 150).toList).take(1 + random.nextInt(100))
      taken.foreach(a.takeThis)
      (0 to taken.max).foreach(_ => b.take())
      random.shuffle((0 to taken.max).filterNot(taken.contains).toList).foreach(b.free)
      (1 to 60).foreach(_ => assert(a.take() == b.take()))
    }
  }

  test("after room was made for an id, it is taken without asking the budget") {
    histories(300) { random =>
      val budget = new RefusingBudget(1L << 40)
      val pool = new IdPool(budget)
      (1 to 30).foreach { _ =>
        val id = pool.bound + random.nextInt(3000)
        budget.allowAll()
        pool.ensureRoom(id)
        budget.watch(_ => true)
        pool.takeThis(id)
      }
      pool.checkInvariants()
    }
  }

  test("a pool that may not grow stays as it was") {
    (1 to 30).foreach { step =>
      val budget = new Budget(7000L + step * 331)
      val pool = new IdPool(Budget.unlimited)
      val tight =
        try Some(new IdPool(budget))
        catch { case _: BudgetExceeded => None }
      tight.foreach { t =>
        var ids = 0
        intercept[BudgetExceeded] {
          while (true) {
            assert(t.take() == ids)
            ids += 1
          }
        }
        t.checkInvariants()
        assert(t.bound == ids && (0 until ids).forall(t.isTaken))
        (0 until ids).foreach(_ => pool.take())
        t.free(0)
        assert(t.take() == 0)
      }
    }
  }
}
