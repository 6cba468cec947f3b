package shedjoin.core.collection

import scala.collection.mutable

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.collection.RowOrder.NoRow
import shedjoin.core.{Budget, Seeded}

class OrderedRowsSuite extends AnyFunSuite with Seeded {

  final private class Places extends RowOrder {
    val at = mutable.HashMap.empty[Int, (Long, Int)]
    def coordinate(row: Int): Long = at(row)._1
    override def second(row: Int): Long = at(row)._2 / 3L
    def compare(a: Int, b: Int): Int = Integer.compare(at(a)._2, at(b)._2)
  }

  test("ranges and their first rows are those of a sorted list") {
    histories(200) { random =>
      val places = new Places
      val rows = new OrderedRows(2, places, Budget.unlimited)
      val stored = Array.fill(2)(mutable.Set.empty[Int])
      val (ids, coordinates, ranks) = (1 + random.nextInt(120), 1 + random.nextInt(30), 1 + random.nextInt(60))
      (1 to 200).foreach { _ =>
        val row = random.nextInt(ids)
        val line = row % 2
        if (stored(line)(row)) {
          rows.remove(line, row)
          stored(line) -= row
        } else {
          places.at(row) = (random.nextInt(coordinates).toLong - 15, random.nextInt(ranks))
          rows.ensureRoom(row)
          rows.add(line, row)
          stored(line) += row
        }
        rows.checkInvariants()
        (0 to 1).foreach { side =>
          val from = random.nextInt(40).toLong - 20
          val to = from + random.nextInt(20) - 2
          val all = stored(side).toSeq
          def where(row: Int): Option[Long] = Option.when(row != NoRow)(places.coordinate(row))
          assert(where(rows.ceiling(side, from)) == all.map(places.coordinate).filter(_ >= from).minOption)
          assert(where(rows.floor(side, to)) == all.map(places.coordinate).filter(_ <= to).maxOption)
          val within = all.filter(r => places.coordinate(r) >= from && places.coordinate(r) <= to)
          val first = rows.firstWithin(side, from, to)
          assert((first == NoRow) == within.isEmpty)
          assert(within.isEmpty || within.contains(first) && within.forall(places.compare(first, _) <= 0))
        }
      }
    }
  }
}
