package shedjoin.core

import java.util.concurrent.atomic.AtomicBoolean

import org.scalatest.funsuite.AnyFunSuite

class BudgetSuite extends AnyFunSuite with Seeded {

  test("what is in use follows a model, and never passes the limit") {
    histories(2000) { random =>
      val budget = new Budget(1000)
      var held = Vector.empty[Long]
      var peak = 0L
      (1 to 100).foreach { _ =>
        if (held.nonEmpty && random.nextInt(3) == 0) {
          budget.release(held.head)
          held = held.tail
        } else {
          val bytes = random.nextInt(400).toLong
          val fits = held.sum + bytes <= 1000
          assert(budget.tryReserve(bytes) == fits)
          if (fits) held :+= bytes
        }
        peak = math.max(peak, held.sum)
        assert(budget.usedBytes == held.sum && budget.peakBytes == peak)
      }
    }
  }

  test("the parts of a budget share its limit and its reclaimer, and say what each of them holds") {
    histories(500) { random =>
      val budget = new Budget(1000)
      val names = Vector("rows", "index", "sketch")
      val parts = names.map(budget.part)
      val held = Array.fill(3)(Vector.empty[Long])
      var spare = 300L
      budget.reserve(spare)
      budget.reclaimFrom { () =>
        val back = math.min(spare, 100)
        spare -= back
        budget.release(back)
        back > 0
      }
      (1 to 60).foreach { _ =>
        val one = random.nextInt(3)
        if (held(one).nonEmpty && random.nextInt(3) == 0) {
          parts(one).release(held(one).head)
          held(one) = held(one).tail
        } else {
          val bytes = random.nextInt(400).toLong
          val all = held.map(_.sum).sum
          val isThere = parts(one).obtain(bytes)
          assert(isThere == (all + bytes <= 1000), s"$bytes beside $all")
          if (isThere) held(one) :+= bytes
          else {
            val refused = intercept[BudgetExceeded](parts(one).reserve(bytes))
            assert(refused.usedBytes == all && refused.limitBytes == 1000 && refused.parts == budget.parts)
          }
        }
        assert(budget.parts.toMap == names.zip(held.map(_.sum)).toMap)
        assert(budget.parts.map(_._2) == budget.parts.map(_._2).sortBy(-_))
        assert(budget.usedBytes == held.map(_.sum).sum + spare && parts(one).usedBytes == budget.usedBytes)
      }
    }
    val full = new Budget(200)
    full.part("rows").reserve(102)
    full.part("index").reserve(76)
    full.part("sketch")
    assert(intercept[BudgetExceeded](full.claim(100)).uses == "rows 57 %, index 43 %")
  }

  test("an allocation so large that the sum overflows is refused, and takes nothing") {
    val budget = new Budget(1000)
    budget.reserve(10)
    assert(!budget.tryReserve(Long.MaxValue) && !budget.tryReserve(Long.MaxValue - 5))
    assert(budget.usedBytes == 10)
    val wide = Budget.unlimited
    assert(wide.tryReserve(Long.MaxValue / 4) && !wide.tryReserve(Long.MaxValue))
  }

  test("an allocation that is refused takes no room from another thread, not for a moment") {
    val budget = new Budget(1000)
    val stop = new AtomicBoolean
    val greedy = new Thread(() => while (!stop.get) assert(!budget.tryReserve(2000)))
    greedy.start()
    try
      (1 to 300000).foreach { i =>
        assert(budget.usedBytes <= 1000, s"in round $i")
        assert(budget.tryReserve(600), s"round $i was refused with ${budget.usedBytes} bytes in use")
        budget.release(600)
      }
    finally {
      stop.set(true)
      greedy.join()
    }
  }

  test("reserve asks the reclaimer until there is room, and throws with nothing taken when it has no more to give") {
    val budget = new Budget(100)
    budget.reserve(100)
    var toGive = 5
    budget.reclaimFrom { () =>
      toGive -= 1
      if (toGive >= 0) budget.release(10)
      toGive >= 0
    }
    budget.reserve(30)
    assert(budget.usedBytes == 100 && toGive == 2)
    val e = intercept[BudgetExceeded](budget.reserve(40))
    assert(budget.usedBytes == 80 && e.needBytes == 40 && e.usedBytes == 80 && e.limitBytes == 100)
  }

  test("what is larger than the whole budget is refused without reclaiming") {
    val budget = new Budget(100)
    budget.reclaimFrom(() => fail("reclaimed in vain"))
    intercept[BudgetExceeded](budget.reserve(101))
  }

  test("a release of more than is in use is a bug that is named") {
    val budget = new Budget(100)
    budget.reserve(10)
    intercept[AssertionError](budget.release(11))
  }
}
