package shedjoin.state

import scala.collection.mutable
import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.join.Side
import shedjoin.core.{Budget, NoRow, Seeded}

class TimerWheelSuite extends AnyFunSuite with Seeded {

  /** A wheel over rows of its own, and what should be in it. */
  final private class Timed {
    val rows = new RowTable(Budget.unlimited)
    val wheel = new TimerWheel(rows)
    val model = mutable.TreeMap.empty[(Long, Int), Unit]
    private var used = 0

    def add(time: Long): Unit = {
      rows.cells.ensure(used + 1)
      rows.put(used, 0, 0, Side.Left, time, matched = false)
      wheel.add(used)
      model((time, used)) = ()
      used += 1
    }

    def remove(row: Int): Unit = {
      wheel.remove(row)
      model -= ((rows.time(row), row))
    }

    def check(): Unit = wheel.checkInvariants(model.keys.map(_._2).toSeq)

    /** Asks for what is due and takes some of it; the model says whether there is any. */
    def expire(bound: Long, most: Int): Unit = {
      var taken = 0
      var row = wheel.firstUpTo(bound)
      while (row != NoRow && taken < most) {
        assert(rows.time(row) <= bound, s"row $row of ${rows.time(row)} is not due at $bound")
        remove(row)
        taken += 1
        row = wheel.firstUpTo(bound)
      }
      val isDue = model.headOption.exists { case ((time, _), _) => time <= bound }
      assert((row != NoRow) == isDue, s"due at $bound: ${model.headOption}, found $row")
    }
  }

  private def someTime(random: Random, now: Long): Long = random.nextInt(12) match {
    case 0 => Long.MinValue
    case 1 => Long.MaxValue - 1
    case 2 => random.nextLong() & ~1L
    case 3 => -1L - random.nextInt(3)
    case 4 => now
    case 5 => now + (1L << random.nextInt(63))
    case 6 => now - (1L << random.nextInt(63))
    case _ => now + random.nextInt(200) - 100
  }

  test("rows come out when they are due, for times of any sign and size, and bounds that go both ways") {
    histories(10000) { random =>
      val timed = new Timed
      var now = if (random.nextBoolean()) 0L else random.nextLong()
      (1 to 60).foreach { _ =>
        random.nextInt(5) match {
          case 0 =>
            now = if (random.nextInt(10) == 0) random.nextLong() else now + random.nextInt(150)
            timed.expire(if (random.nextInt(6) == 0) now - random.nextInt(500) else now, random.nextInt(12))
          case 1 if timed.model.nonEmpty =>
            timed.remove(timed.model.keys.toIndexedSeq(random.nextInt(timed.model.size))._2)
          case _ => timed.add(someTime(random, now))
        }
        if (random.nextInt(12) == 0) timed.check()
      }
      timed.expire(Long.MaxValue - 1, Int.MaxValue)
      assert(timed.model.keys.forall(_._1 == Long.MaxValue))
    }
  }

  test("each digit of the clock turns over without a row being lost or early") {
    val timed = new Timed
    val edges = (0 to 62).flatMap(bit => Seq(1L << bit, (1L << bit) - 1, -(1L << bit), 1 - (1L << bit))).distinct.sorted
    edges.foreach(timed.add)
    edges.foreach { bound =>
      timed.expire(bound - 1, 0)
      timed.expire(bound, Int.MaxValue)
      timed.check()
    }
    assert(timed.model.isEmpty)
  }

  test("the least of all times is due at the least of all bounds") {
    val timed = new Timed
    timed.add(Long.MinValue)
    timed.add(Long.MinValue + 1)
    assert(timed.rows.time(timed.wheel.firstUpTo(Long.MinValue)) == Long.MinValue)
    timed.expire(Long.MinValue, Int.MaxValue)
    assert(timed.model.size == 1)
  }
}
