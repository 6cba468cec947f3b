package shedjoin.core.collection

import scala.collection.mutable

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.{Budget, BudgetExceeded, Seeded}

class ChunkPoolSuite extends AnyFunSuite with Seeded {
  private val shift = 4
  private val chunkBytes = Budget.arrayBytes(1 << shift, 4)

  test("chunks come as zeros and once only, and the budget counts all that are held, to the byte") {
    histories(2000) { random =>
      val budget = new Budget(2000L + random.nextInt(4000))
      val pool = new ChunkPool(budget, shift)
      budget.reclaimFrom(pool)
      val used = mutable.ArrayBuffer.empty[Array[Int]]
      (1 to 200).foreach { _ =>
        random.nextInt(8) match {
          case 0 => pool.begin()
          case 1 => if (random.nextInt(10) == 0) pool.reclaim()
          case 2 | 3 | 4 if used.nonEmpty => pool.give(used.remove(random.nextInt(used.size)))
          case _ =>
            try {
              val chunk = pool.take()
              assert(chunk.length == 1 << shift && chunk.forall(_ == 0) && !used.exists(_ eq chunk))
              java.util.Arrays.fill(chunk, 7)
              used += chunk
            } catch {
              case _: BudgetExceeded => assert(budget.usedBytes + chunkBytes > budget.limitBytes)
            }
        }
        pool.checkInvariants()
        assert(pool.takenBytes == budget.usedBytes)
      }
    }
  }

  test("versions alike ask the budget for nothing, and what a large one took goes by and by") {
    val budget = Budget.unlimited
    val pool = new ChunkPool(budget, shift)
    def version(chunks: Int): Unit = {
      pool.begin()
      Seq.fill(chunks)(pool.take()).foreach(pool.give)
    }
    version(100)
    val held = budget.usedBytes
    (1 to 10).foreach { _ =>
      version(100)
      assert(budget.usedBytes == held)
    }
    (1 to 40).foreach(_ => version(10))
    assert(pool.takenBytes <= held - 89 * chunkBytes)
  }

  test("spare chunks go first when something else needs their room") {
    val budget = new Budget(64 + 10 * chunkBytes + 64)
    val pool = new ChunkPool(budget, shift)
    budget.reclaimFrom(pool)
    Seq.fill(8)(pool.take()).foreach(pool.give)
    budget.reserve(9 * chunkBytes)
    pool.checkInvariants()
    assert(budget.usedBytes == pool.takenBytes + 9 * chunkBytes)
  }
}
