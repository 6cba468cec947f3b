package shedjoin.core.collection

import java.io.{ByteArrayInputStream, ByteArrayOutputStream, DataInputStream, DataOutputStream}

import scala.collection.mutable

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.{Budget, NoRow, Seeded}

class ArrivalEndsSuite extends AnyFunSuite with Seeded {

  final private class Parity(seconds: Int => Long) extends RowOrder {
    override def second(row: Int): Long = seconds(row)
    def compare(a: Int, b: Int): Int = Integer.compare(a & 1, b & 1)
  }

  test("the first rows of the oldest and of the newest tick are at hand, and all rows lie tick by tick") {
    histories(60) { random =>
      val model = mutable.HashMap.empty[Int, (Int, Long)]
      val rows = new ArrivalEnds(new Parity(model(_)._2), Budget.unlimited)
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
        assert(rows.firstOfOldest == (if (model.isEmpty) NoRow else first(ticks.min)))
        assert(rows.firstOfNewest == (if (model.isEmpty) NoRow else first(ticks.max)))
        val listed = Iterator.iterate(rows.firstOfOldest)(rows.after).takeWhile(_ != NoRow).take(5001).toSeq
        assert(listed.toSet == model.keySet && listed.size == model.size)
        assert(listed.map(model(_)._1) == listed.map(model(_)._1).sorted)
        listed.foreach(at => assert(rows.isLeader(at) == (at == first(model(at)._1))))
      }
    }
  }

  test("lists that share their room keep apart, and come back as they were saved") {
    histories(60) { random =>
      val seconds = mutable.HashMap.empty[Int, Long]
      val models = Seq.fill(2)(mutable.ArrayBuffer.empty[Int])
      def made: Seq[ArrivalEnds] = {
        val one = new ArrivalEnds(new Parity(seconds), Budget.unlimited)
        Seq(one, one.another)
      }
      var lists = made
      (1 to 100).foreach { _ =>
        val row = random.nextInt(40)
        models.indexWhere(_.contains(row)) match {
          case -1 =>
            val list = random.nextInt(2)
            lists(list).close()
            seconds(row) = random.nextInt(3).toLong
            lists(list).ensureRoom(row)
            lists(list).put(row)
            models(list) += row
          case list =>
            lists(list).remove(row)
            models(list) -= row
        }
        if (random.nextInt(8) == 0) {
          val bytes = new ByteArrayOutputStream
          lists.foreach(_.save(new DataOutputStream(bytes)))
          val in = new DataInputStream(new ByteArrayInputStream(bytes.toByteArray))
          lists = made
          lists.foreach(_.restore(in))
        }
        lists.zip(models).foreach { case (rows, model) =>
          rows.checkInvariants()
          val listed = Iterator.iterate(rows.firstOfOldest)(rows.after).takeWhile(_ != NoRow)
          assert(listed.take(41).toSeq == model.toSeq)
        }
      }
    }
  }
}
