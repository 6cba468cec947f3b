package shedjoin.state

import scala.collection.mutable

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.collection.ChunkPool
import shedjoin.core.{Budget, RefusingBudget, Seeded}

class IdListSuite extends AnyFunSuite with Seeded {

  private def content(list: IdList): Seq[Int] = (0 until list.size).map(list(_))

  private def pool(budget: Budget): ChunkPool = new ChunkPool(budget, 10)
  private def listOf(budget: Budget = Budget.unlimited): IdList = new IdList(budget, pool(budget))
  private def sorter: IdSort = new IdSort(Budget.unlimited, pool(Budget.unlimited))

  test("a list follows a model, and ranges of it sort as the JDK sorts, stably, by numbers of any size") {
    histories(10000) { random =>
      val list = listOf()
      val count = random.nextInt(60)
      val model = random.shuffle((0 until count).toBuffer)
      model.foreach(list.add)
      val walked = mutable.ArrayBuffer.empty[Int]
      list.foreach(walked += _)
      assert(walked == model)
      val bits = random.nextInt(64)
      val keys = Array.fill(count)(random.nextLong() >>> bits)
      val from = random.nextInt(count + 1)
      val until = from + random.nextInt(count - from + 1)
      if (until > from) sorter.sort(list, from, until, id => keys(id))
      val sorted = model.slice(from, until).sortWith((a, b) => java.lang.Long.compareUnsigned(keys(a), keys(b)) < 0)
      assert(content(list) == model.take(from) ++ sorted ++ model.drop(until))
      list.insertionSort(0, count, (a, b) => a > b)
      assert(content(list) == (0 until count).reverse)
      list.clear()
      assert(list.size == 0)
    }
  }

  test("a few ascending runs are sorted stably, equal numbers in them and runs of one included") {
    histories(10000) { random =>
      val runs = 1 + random.nextInt(6)
      val keys = Seq
        .fill(runs)(Seq.fill(1 + random.nextInt(20))(random.nextInt(30).toLong - 10))
        .flatMap(_.sortWith((a, b) => java.lang.Long.compareUnsigned(a, b) < 0))
        .toArray
      val list = listOf()
      keys.indices.foreach(list.add)
      sorter.sort(list, 0, keys.length, id => keys(id))
      val sorted = keys.indices.sortWith((a, b) => java.lang.Long.compareUnsigned(keys(a), keys(b)) < 0)
      assert(content(list) == sorted)
    }
  }

  test("lists over many chunks sort, and both list and sorter give all but a chunk back") {
    histories(10) { random =>
      val budget = Budget.unlimited
      val chunks = pool(budget)
      val list = new IdList(budget, chunks)
      val sorter = new IdSort(budget, chunks)
      list.add(0)
      list.clear()
      val empty = budget.usedBytes
      val model = Seq.fill(1000 + random.nextInt(6000))(random.nextInt())
      model.foreach(list.add)
      sorter.sort(list, 0, list.size, id => id.toLong ^ Long.MinValue)
      assert(content(list) == model.sorted)
      list.clear()
      sorter.trim()
      chunks.checkInvariants()
      chunks.reclaim()
      assert(budget.usedBytes - empty < 6000, "a chunk, and wider directories, may stay")
    }
  }

  test("after room was made for some, that many are added without asking the budget") {
    val budget = new RefusingBudget(1L << 40)
    val list = listOf(budget)
    Seq(1, 1023, 1, 1024, 5000).foreach { more =>
      budget.allowAll()
      list.ensureRoom(more)
      budget.watch(_ => true)
      (1 to more).foreach(list.add)
    }
    assert(list.size == 1 + 1023 + 1 + 1024 + 5000)
  }
}
