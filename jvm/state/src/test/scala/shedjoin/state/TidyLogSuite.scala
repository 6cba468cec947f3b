package shedjoin.state

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.Budget

/** What a log gives back of the pages whose records have gone, unasked and asked. */
class TidyLogSuite extends AnyFunSuite {
  import RowLogSuite._

  /** Two hundred pages of records, of which one in `every` stays. */
  private def sparse(budget: Budget, every: Int): Logged = {
    val log = new Logged(budget)
    val all = (0 until 200 * 21).map(_ => log.append(new Array[Byte](40)))
    log.log.begin()
    all.indices.filter(_ % every != 0).foreach(i => log.remove(all(i)))
    log
  }

  test("a version that begins finds no more dead than alive, though no budget presses") {
    val log = sparse(Budget.unlimited, every = 20)
    assert(log.log.heldBytes > 10 * log.log.liveBytes)
    log.log.begin()
    log.log.tidy()
    assert(log.log.heldBytes <= 2 * log.log.liveBytes + 4 * PageBytes)
    log.check()
  }

  test("pages that came free and are kept go to whoever needs the room") {
    val budget = new Budget(300L * PageBytes)
    val log = sparse(budget, every = 5000)
    budget.reclaimFrom(log.log)
    val kept = budget.usedBytes - log.log.heldBytes
    assert(kept > 20 * PageBytes, s"only $kept bytes are kept")
    budget.reserve(budget.limitBytes - budget.usedBytes + kept - 8 * PageBytes)
    assert(budget.usedBytes <= budget.limitBytes)
  }

  test("the directory of pages narrows when few are left, and records are found under the new numbers of their pages") {
    val budget = Budget.unlimited
    val log = new Logged(budget)
    val all = (0 until 4000).map(i => log.append(Array.fill(if (i % 9 == 0) 30 else 1000)(i.toByte)))
    all.indices.filter(_ % 100 != 7).foreach(i => log.remove(all(i)))
    assert(budget.usedBytes > log.log.heldBytes + 90000)
    log.log.begin()
    log.log.tidy()
    assert(budget.usedBytes < log.log.heldBytes + 20000)
    log.check()
    (1 to 500).foreach(i => log.append(new Array[Byte](i * 2)))
    log.check()
  }
}
