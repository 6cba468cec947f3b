package shedjoin.state

import scala.collection.mutable
import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.join.Side
import shedjoin.core.{Budget, BudgetExceeded, Bytes, LogicalCost, Seeded}

/** States filled up to a logical cost, in a memory of nine eighths of that and the fixed parts. */
class LogicalCostSuite extends AnyFunSuite with Seeded {
  import LogicalCostSuite._

  test("the constants are those of docs/format.md") {
    assert(LogicalCost.ofRow(0) == 48 && LogicalCost.ofRow(1) == 56 && LogicalCost.ofRow(104) == 152)
    assert(LogicalCost.ofWordKey == 36 && LogicalCost.ofKey(0) == 44 && LogicalCost.ofKey(24) == 68)
    assert(LogicalCost.ofRow(Int.MaxValue) == (1L << 31) + 48)
  }

  Seq(16, 40, 100, 400, 1500, 5000, 70000).foreach { rowLength =>
    test(s"rows of $rowLength bytes come and go, and nothing is refused") {
      for (keyLength <- Seq(16, 24, 200); rowsOfKey <- Seq(1, 4, 1000)) {
        val cost = math.max(3L << 20, rowLength * 60L)
        val filled = new Filled(cost, 16 * 1024, _ => rowLength, keyLength, rowsOfKey)
        filled.run(4 * cost)
        val ratio = filled.taken.toDouble / filled.cost
        info(f"${filled.rows}%6d rows, $rowsOfKey with each key of $keyLength, take $ratio%.3f of their logical cost")
        assert(ratio <= 1.125)
      }
    }
  }

  test("rows and keys of sizes drawn at random") {
    histories(12) { random =>
      val pageBytes = if (random.nextBoolean()) 16 * 1024 else 64 * 1024
      val longest = 24 + random.nextInt(if (random.nextBoolean()) 200 else 4000)
      val keyLength = 16 + 8 * random.nextInt(20)
      val cost = 1000000L + random.nextInt(5000000)
      val filled = new Filled(cost, pageBytes, _ => 16 + random.nextInt(longest), keyLength, 1 + random.nextInt(9))
      filled.run(3 * cost)
      assert(filled.taken <= filled.cost * 9 / 8)
    }
  }
}

object LogicalCostSuite {
  private val PerBatch = 40

  /** A state whose rows, and their keys, cost at most `most`; any go for what comes. */
  private class Filled(most: Long, pageBytes: Int, lengthOf: Int => Int, keyLength: Int, rowsOfKey: Int) {
    private val fixed = fixedBytes(pageBytes, keyLength)
    private val state = new JoinState(new Budget(fixed + most * 9 / 8), pageBytes)
    private val stored = mutable.ArrayBuffer.empty[(Int, Int, Int)]
    private val holders = mutable.HashMap.empty[Int, Int].withDefaultValue(0)
    private val random = new Random(7)
    private val key = new Array[Byte](keyLength)
    private var next = 0
    var cost = 0L

    private val keyCost = if (keyLength == 16) LogicalCost.ofWordKey else LogicalCost.ofKey(keyLength)

    def rows: Int = stored.size

    /** Stores rows of so much cost, in all. */
    def run(total: Long): Unit = {
      var done = 0L
      while (done < total) {
        val lengths = Seq.tabulate(PerBatch)(i => lengthOf(next + i))
        val coming = lengths.map(LogicalCost.ofRow(_) + keyCost).sum
        state.begin()
        while (cost + coming > most && stored.nonEmpty) removeAny()
        state.begin()
        lengths.foreach(stage)
        storeAll(lengths)
        done += coming
      }
      state.begin()
      state.checkInvariants()
    }

    private def stage(length: Int): Unit = {
      Bytes.putLong(key, keyLength - 8, (next / rowsOfKey).toLong)
      val row = new Array[Byte](length)
      random.nextBytes(row)
      state.stage(key, 0, keyLength, row, 0, length, next.toLong)
      next += 1
    }

    private def storeAll(lengths: Seq[Int]): Unit = {
      (0 until state.arrange()).foreach { place =>
        state.standAt(place)
        state.store(Side.Left, matched = false)
      }
      state.clearStaged()
      val added = mutable.ArrayBuffer.empty[Int]
      state.journal.added.foreach(added += _)
      added.zip(lengths).foreach { case (id, length) =>
        val ofKey = state.time(id).toInt / rowsOfKey
        stored += ((id, length, ofKey))
        cost += LogicalCost.ofRow(length)
        if (holders(ofKey) == 0) cost += keyCost
        holders(ofKey) += 1
      }
    }

    private def removeAny(): Unit = {
      val place = random.nextInt(stored.size)
      val (id, length, ofKey) = stored(place)
      stored(place) = stored.last
      stored.dropRightInPlace(1)
      state.remove(id)
      cost -= LogicalCost.ofRow(length)
      holders(ofKey) -= 1
      if (holders(ofKey) == 0) cost -= keyCost
    }

    /** What is taken beside the fixed parts once all have given back what they can. */
    def taken: Long = {
      try state.budget.reserve(state.budget.limitBytes)
      catch { case _: BudgetExceeded => () }
      state.budget.usedBytes - fixed
    }
  }

  /** What a state of a single row takes that left no memory unused, and a page for the second head. */
  private def fixedBytes(pageBytes: Int, keyLength: Int): Long = {
    val state = new JoinState(Budget.unlimited, pageBytes)
    val key = Array.fill(keyLength)(1.toByte)
    state.begin()
    state.stage(key, 0, keyLength, new Array[Byte](8), 0, 8, 0L)
    (0 until state.arrange()).foreach { place =>
      state.standAt(place)
      state.store(Side.Left, matched = false)
    }
    state.clearStaged()
    state.budget.usedBytes + (if (keyLength == 16) pageBytes else 0)
  }
}
