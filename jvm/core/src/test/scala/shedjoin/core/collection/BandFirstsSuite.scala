package shedjoin.core.collection

import java.io.{ByteArrayInputStream, ByteArrayOutputStream, DataInputStream, DataOutputStream}

import scala.collection.mutable

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.{Budget, BudgetExceeded, RefusingBudget, Seeded}

class BandFirstsSuite extends AnyFunSuite with Seeded {

  /** Rows of odd and of even ids can not be told apart by content. The groups' first rows are kept as they are told. */
  final private class Model extends RowOrder with FirstRowListener {
    val rows = mutable.HashMap.empty[Int, (Int, Double, Long)]
    val firsts = mutable.HashMap.empty[Int, Int]
    var banded: BandFirsts = _
    override def second(row: Int): Long = rows(row)._3
    def compare(a: Int, b: Int): Int = Integer.compare(a & 1, b & 1)
    def firstCame(group: Int): Unit = firsts(group) = banded.first(group)
    def firstWent(group: Int): Unit = firsts(group) = banded.first(group)
    def emptied(group: Int): Unit = firsts -= group

    /** Of each side and band the first row. */
    def expected: Map[(Int, Long), Int] = rows.toSeq
      .groupMap { case (_, (side, score, _)) => (side, math.floor(score * 256).toLong) }(_._1)
      .map { case (key, ids) => key -> ids.minBy(id => (second(id), id & 1, id)) }
  }

  private def made(budget: Budget): Model = {
    val model = new Model
    model.banded = new BandFirsts(model, model, budget)
    model
  }

  private def check(model: Model): Unit = {
    model.banded.checkInvariants()
    assert(model.firsts.values.toSet == model.expected.values.toSet)
    model.firsts.foreach { case (group, first) =>
      assert(model.banded.band(group) == (model.rows(first)._2 * 256).toLong)
    }
    model.rows.foreach { case (row, (_, score, _)) => assert(model.banded.score(row) == score) }
  }

  test("each band of a side has its first row at hand, in whatever order rows come, and asks no budget then") {
    histories(150) { random =>
      val budget = new RefusingBudget(1L << 40)
      val model = made(budget)
      val spread = 1 + random.nextInt(60)
      (1 to 120).foreach { step =>
        val row = random.nextInt(if (random.nextInt(10) == 0) 5000 else 50)
        if (model.rows.contains(row)) {
          model.banded.remove(row)
          model.rows -= row
        } else {
          val nth = 1 + random.nextInt(6)
          budget.watch(_ == nth)
          try model.banded.ensureRoom(row)
          catch { case _: BudgetExceeded => model.banded.checkInvariants() }
          budget.allowAll()
          model.banded.ensureRoom(row)
          budget.watch(_ => true)
          val score = if (random.nextInt(5) == 0) 0.0 else 1023 + random.nextInt(1 << 10) / 32768.0
          model.rows(row) = (random.nextInt(2), score, step + random.nextInt(spread).toLong)
          model.banded.put(row, model.rows(row)._1, score)
        }
        check(model)
      }
    }
  }

  test("where there are as many groups as may be, a row goes into the nearest one of its side") {
    histories(6) { random =>
      val model = made(Budget.unlimited)
      val isOneSided = random.nextBoolean()
      def bands(side: Int): Set[Long] = model.rows.keys
        .filter(model.rows(_)._1 == side)
        .map(row => math.floor(model.banded.score(row) * 256).toLong)
        .toSet
      (0 until 1500).foreach { row =>
        val side = if (isOneSided && row < 1400) 1 else random.nextInt(2)
        val score = 1000 + random.nextInt(20 << 10) / 1024.0
        val band = (score * 256).toLong
        val open = bands(side)
        val mayOpen = open.contains(band) || open.size + math.max(1, bands(1 - side).size) < 1025
        val away = if (mayOpen) 0L else open.map(other => math.abs(other - band)).min
        model.rows(row) = (side, score, random.nextInt(9).toLong)
        model.banded.ensureRoom(row)
        model.banded.put(row, side, score)
        val told = model.banded.score(row)
        if (away == 0) assert(told == score) else assert(math.abs((told * 256).toLong - band) == away)
      }
      model.banded.checkInvariants()
      val grouped =
        model.rows.groupMap { case (row, (side, _, _)) => (side, (model.banded.score(row) * 256).toLong) }(_._1)
      val expected = grouped.map { case (_, ids) => ids.minBy(id => (model.rows(id)._3, id & 1, id)) }
      assert(grouped.size >= 1024 && model.firsts.values.toSet == expected.toSet)

      val bytes = new ByteArrayOutputStream
      model.banded.save(new DataOutputStream(bytes))
      val again = made(Budget.unlimited)
      again.banded.restore(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray)))
      random.shuffle(model.rows.toSeq).foreach { case (row, (side, _, last)) =>
        val score = model.banded.score(row)
        again.rows(row) = (side, score, last)
        again.banded.ensureRoom(row)
        again.banded.put(row, side, score)
        assert(again.banded.score(row) == score)
      }
      assert(again.firsts.values.toSet == expected.toSet)
    }
  }

  test("rows of scores far below the greatest one that ever was count as nothing, and no others do") {
    histories(100) { random =>
      val model = made(Budget.unlimited)
      var greatest = 0.0
      (1 to 60).foreach { row =>
        val score = 1000 + random.nextInt(300).toDouble
        greatest = math.max(greatest, score)
        model.rows(row) = (row % 2, score, random.nextInt(9).toLong)
        model.banded.ensureRoom(row)
        model.banded.put(row, row % 2, score)
        model.rows.keys.foreach { id =>
          val told = model.banded.score(id)
          val own = model.rows(id)._2
          assert(told == own || told == 0 && own <= greatest - 63, s"$told of $own, greatest $greatest")
          if (told == 0) model.rows(id) = model.rows(id).copy(_2 = 0)
        }
        check(model)
      }
    }
  }
}
