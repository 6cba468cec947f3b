package shedjoin.core.collection

import scala.collection.mutable

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.{Budget, Seeded}

class IdSetSuite extends AnyFunSuite with Seeded {
  test("ids are there from when they are put until they are removed") {
    histories(100) { random =>
      val ids = new IdSet(Budget.unlimited)
      val model = mutable.HashSet.empty[Int]
      var bound = 0
      (1 to 300).foreach { _ =>
        val id = random.nextInt(if (random.nextInt(10) == 0) 20000 else 100)
        if (model.remove(id)) ids.remove(id)
        else {
          ids.ensureRoom(id)
          ids.put(id)
          model += id
          bound = math.max(bound, id + 1)
        }
        assert(ids.count == model.size && ids.bound == bound && ids.contains(id) == model(id))
      }
      ids.checkInvariants()
      assert((0 to bound).filter(ids.contains) == model.toSeq.sorted)
    }
  }

  test("an id is put once, and removed once") {
    val ids = new IdSet(Budget.unlimited)
    ids.ensureRoom(3)
    ids.put(3)
    intercept[AssertionError](ids.put(3))
    ids.remove(3)
    intercept[AssertionError](ids.remove(3))
  }
}
