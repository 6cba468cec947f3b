package shedjoin.state

import scala.collection.mutable
import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.join.Side
import shedjoin.core.{Budget, NoRow, RefusingBudget, Seeded}

class KeyChainsSuite extends AnyFunSuite with Seeded {

  /** Two keys with chains of both sides, and what should be in them. */
  final private class Chained(budget: Budget) {
    val rows = new RowTable(budget)
    val keys = new KeyTable(budget)
    val chains = new KeyChains(rows, keys, budget)
    val keyIds = Seq.fill(2)(keys.add(5))
    val linked = mutable.HashMap.empty[Int, (Int, Int)]
    private val free = mutable.ArrayBuffer.empty[Int]
    private var used = 0

    def add(random: Random, time: Long): Unit = {
      chains.ensureRoom()
      rows.cells.ensure(used + 1)
      val row = if (free.nonEmpty && random.nextBoolean()) free.remove(random.nextInt(free.size)) else used
      if (row == used) used += 1
      val place = (keyIds(random.nextInt(2)), random.nextInt(2))
      rows.put(row, 0, place._1, place._2, time, matched = false)
      link(row)
    }

    def link(row: Int): Unit = {
      chains.link(row)
      linked(row) = (rows.key(row), rows.side(row))
    }

    def unlink(row: Int): Unit = {
      chains.unlink(row)
      linked -= row
    }

    def remove(row: Int): Unit = {
      unlink(row)
      free += row
    }

    def chain(key: Int, side: Int): Seq[Int] = linked.collect { case (row, (`key`, `side`)) => row }.toSeq

    def check(): Unit =
      for (key <- keyIds; side <- Seq(Side.Left, Side.Right)) chains.checkInvariants(key, side, chain(key, side))

    def checkSearch(time: Long): Unit =
      for (key <- keyIds; side <- Seq(Side.Left, Side.Right)) {
        val upTo = chain(key, side).filter(rows.time(_) <= time)
        val found = chains.lastUpTo(key, side, time)
        if (upTo.isEmpty) assert(found == NoRow, s"$found is not up to $time")
        else {
          assert(found != NoRow && rows.time(found) == upTo.map(rows.time).max, s"up to $time")
          val walked = Iterator.iterate(found)(chains.prev).takeWhile(_ != NoRow).toSeq
          assert(walked.sorted == upTo.sorted, s"walking back from $time")
        }
      }
  }

  private def someTime(random: Random): Long = random.nextInt(20) match {
    case 0 => Long.MinValue
    case 1 => Long.MaxValue
    case 2 => random.nextLong()
    case _ => random.nextInt(60).toLong - 30
  }

  test("chains stay in order and searches find what looking at every row finds") {
    histories(4000) { random =>
      val chained = new Chained(Budget.unlimited)
      (1 to 80).foreach { _ =>
        if (random.nextInt(4) == 0 && chained.linked.nonEmpty)
          chained.remove(chained.linked.keys.toIndexedSeq(random.nextInt(chained.linked.size)))
        else chained.add(random, someTime(random))
        if (random.nextInt(16) == 0) chained.check()
      }
      chained.check()
      (1 to 10).foreach(_ => chained.checkSearch(someTime(random)))
    }
  }

  test("long chains with towers of several levels, in order and in disorder") {
    histories(20) { random =>
      val chained = new Chained(Budget.unlimited)
      (1 to 4000).foreach { i =>
        chained.add(random, if (random.nextInt(3) == 0) random.nextInt(6000).toLong else i.toLong)
      }
      chained.check()
      (1 to 20).foreach(_ => chained.checkSearch(random.nextInt(6100).toLong - 50))
      random.shuffle(chained.linked.keys.toSeq).take(3000).foreach(chained.remove)
      chained.check()
      (1 to 20).foreach(_ => chained.checkSearch(random.nextInt(6100).toLong - 50))
    }
  }

  test("rows that go and come back need no memory: what was linked once can be linked again") {
    histories(600) { random =>
      val budget = new RefusingBudget(1L << 40)
      val chained = new Chained(budget)
      (1 to 400).foreach(_ => chained.add(random, someTime(random)))
      val gone = random.shuffle(chained.linked.keys.toSeq).take(200)
      gone.foreach(chained.unlink)
      chained.check()
      budget.watch(_ => true)
      random.shuffle(gone).foreach(chained.link)
      chained.check()
      chained.checkSearch(someTime(random))
    }
  }
}
