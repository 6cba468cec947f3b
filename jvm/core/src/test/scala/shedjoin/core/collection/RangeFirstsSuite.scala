package shedjoin.core.collection

import scala.collection.mutable

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.{Budget, NoRow, Seeded}

class RangeFirstsSuite extends AnyFunSuite with Seeded {

  final private class Places extends RowOrder {
    val at = mutable.HashMap.empty[Int, (Long, Int)]
    override def coordinate(row: Int): Long = at(row)._1
    override def weight(row: Int): Double = at(row)._2 / 9 * .3
    override def second(row: Int): Long = at(row)._2 / 3L
    def compare(a: Int, b: Int): Int = Integer.compare(at(a)._2, at(b)._2)
  }

  test("ranges and their first rows are those of a sorted list") {
    histories(120) { random =>
      val places = new Places
      val rows = new RangeFirsts(2, places, Budget.unlimited)
      val stored = Array.fill(2)(mutable.Set.empty[Int])
      val (ids, coordinates, ranks) = (1 + random.nextInt(400), 1 + random.nextInt(500), 1 + random.nextInt(60))
      val comesInOrder = random.nextBoolean()
      var time = 0
      (1 to 600).foreach { step =>
        val row = random.nextInt(ids)
        val line = row % 2
        time += random.nextInt(2)
        if (stored(line)(row)) {
          rows.remove(line, row)
          stored(line) -= row
        } else {
          val place = if (comesInOrder) time else random.nextInt(coordinates)
          places.at(row) = (place.toLong - 15, random.nextInt(ranks))
          rows.ensureRoom(row)
          rows.add(line, row)
          stored(line) += row
        }
        if (step % 7 == 0) {
          rows.checkInvariants()
          (0 to 1).foreach { side =>
            val from = random.nextInt(coordinates + 10).toLong - 20
            val to = from + random.nextInt(coordinates) - 2
            val all = stored(side).toSeq
            def where(row: Int): Option[Long] = Option.when(row != NoRow)(places.coordinate(row))
            assert(where(rows.ceiling(side, from)) == all.map(places.coordinate).filter(_ >= from).minOption)
            val within = all.filter(r => places.coordinate(r) >= from && places.coordinate(r) <= to)
            assert(rows.isEmpty(side) == all.isEmpty)
            assert(all.isEmpty || rows.least(side) == all.map(places.coordinate).min)
            assert(all.isEmpty || rows.greatest(side) == all.map(places.coordinate).max)
            val first = rows.firstWithin(side, from, to)
            assert((first == NoRow) == within.isEmpty)
            assert(within.isEmpty || within.contains(first) && within.forall(places.compare(first, _) <= 0))
          }
        }
      }
    }
  }

  test("what comes in order and goes at the other end, or at random, takes no more room than its rows") {
    val budget = Budget.unlimited
    val places = new Places
    val rows = new RangeFirsts(1, places, budget)
    val random = new scala.util.Random(1)
    val size = 5000
    (0 until size).foreach { row =>
      places.at(row) = (row.toLong, 0)
      rows.ensureRoom(row)
      rows.add(0, row)
    }
    val full = budget.usedBytes
    assert(full <= 100L * size + 32768, s"$full bytes")
    (size until 20 * size).foreach { time =>
      val row = if (time % 3 == 0) random.nextInt(size) else rows.firstWithin(0, Long.MinValue, Long.MaxValue)
      rows.remove(0, row)
      places.at(row) = (time.toLong, 0)
      rows.ensureRoom(row)
      rows.add(0, row)
    }
    rows.checkInvariants()
    assert(budget.usedBytes <= 1.8 * full, s"${budget.usedBytes} bytes after $full")
  }
}
