package shedjoin.core.collection

import scala.collection.mutable

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.{Budget, Seeded}

class ArrivalRowsSuite extends AnyFunSuite with Seeded {

  final private class Parity(seconds: Int => Long) extends RankTies {
    def second(row: Int): Long = seconds(row)
    def compare(a: Int, b: Int): Int = Integer.compare(a & 1, b & 1)
  }

  test("the first rows of the oldest and of the newest tick are at hand, and all rows lie tick by tick") {
    histories(60) { random =>
      val model = mutable.HashMap.empty[Int, (Int, Long)]
      val rows = new ArrivalRows(new Parity(model(_)._2), Budget.unlimited)
      var tick = 0
      def key(row: Int) = (model(row)._2, row & 1, row)
      def first(tick: Int) = model.keys.filter(model(_)._1 == tick).minBy(key)
      (1 to 200).foreach { _ =>
        val row = random.nextInt(if (random.nextInt(10) == 0) 5000 else 40)
        if (model.contains(row)) {
          rows.remove(row)
          model.remove(row)
        } else {
          if (random.nextInt(6) == 0) {
            tick += 1
            rows.close()
          }
          model(row) = (tick, random.nextInt(3).toLong)
          rows.ensureRoom(row)
          rows.put(row)
        }
        rows.checkInvariants()
        val ticks = model.values.map(_._1)
        assert(rows.firstOfOldest == (if (model.isEmpty) RowOrder.NoRow else first(ticks.min)))
        assert(rows.firstOfNewest == (if (model.isEmpty) RowOrder.NoRow else first(ticks.max)))
        val listed = Iterator.iterate(rows.firstOfOldest)(rows.after).takeWhile(_ != RowOrder.NoRow).take(5001).toSeq
        assert(listed.toSet == model.keySet && listed.size == model.size)
        assert(listed.map(model(_)._1) == listed.map(model(_)._1).sorted)
        listed.foreach(at => assert(rows.isLeader(at) == (at == first(model(at)._1))))
      }
    }
  }
}
