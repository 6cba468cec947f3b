package shedjoin.core.policy.curve

import scala.collection.mutable
import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.collection.{RangeFirsts, RowOrder}
import shedjoin.core.model.GridCurve
import shedjoin.core.policy.RowFacts
import shedjoin.core.{Budget, Seeded}

/** Branch and bound against a scan of all rows. */
class LeastRankSearchSuite extends AnyFunSuite with Seeded {

  final private class Placed(val coordinate: Long, val weight: Double, val last: Long)

  private class Rows extends RowFacts with RowOrder {
    val at = mutable.HashMap.empty[Int, Placed]
    def side(row: Int): Int = 0
    def key(row: Int): Int = 0
    def value(row: Int): Long = at(row).coordinate
    def importance(row: Int): Double = at(row).weight
    def lastTick(row: Int): Long = at(row).last
    def compareContent(a: Int, b: Int): Int = Integer.compare(a, b)
    override def coordinate(row: Int): Long = at(row).coordinate
    override def weight(row: Int): Double = at(row).weight
    override def second(row: Int): Long = at(row).last
  }

  private def curve(random: Random): GridCurve = {
    val runs = Seq(1, 3, 300)(random.nextInt(3))
    val cells = runs * (1 + random.nextInt(4))
    val levels = Seq(2, 5, 1000)(random.nextInt(3))
    val values = Array.fill(cells)(random.nextInt(levels).toDouble)
    val sorted = runs match {
      case 1 => values.sorted
      case 3 =>
        values
          .grouped(math.max(1, cells / 3))
          .zipWithIndex
          .flatMap { case (part, i) =>
            if (i % 2 == 0) part.sorted else part.sorted.reverse
          }
          .toArray
      case _ => values
    }
    val ends = Seq(0.0, 1.0)
    new GridCurve(
      1 + random.nextInt(3).toLong,
      random.nextInt(cells).toLong - cells,
      sorted,
      Budget.unlimited,
      above = ends(random.nextInt(2)),
      below = ends(random.nextInt(2))
    )
  }

  private def rank(rows: Rows, by: GridCurve, origin: Long)(row: Int): Double =
    LeastRankSearch.ranked(rows.weight(row), by.at(LeastRankSearch.distance(rows.coordinate(row), origin)))

  /** Of rows of equal rank the one with less life left, and then by content. */
  private def naive(rows: Rows, by: GridCurve, origin: Long): (Int, Double) = {
    val ranks = rows.at.keys.map(row => row -> rank(rows, by, origin)(row)).toMap
    def isFirst(a: Int, b: Int) = ranks(a) < ranks(b) || ranks(a) == ranks(b) && rows.compareTied(a, b) < 0
    val least = rows.at.keys.reduceLeft((a, b) => if (isFirst(b, a)) b else a)
    (least, ranks(least))
  }

  test("the row found is that of a scan, whatever the runs of the curve, the weights and the distances") {
    histories(150) { random =>
      val rows = new Rows
      val lines = new RangeFirsts(1, rows, Budget.unlimited)
      val search = new LeastRankSearch(lines, rows, Budget.unlimited)
      val weights = Seq(1, 2, 50)(random.nextInt(3))
      val places = Seq(3, 100, 2000)(random.nextInt(3))
      val lasts = Seq(1, 5, 1000)(random.nextInt(3))
      val isFar = random.nextInt(8) == 0
      def drawn() =
        if (isFar && random.nextInt(4) == 0) Seq(Long.MinValue, Long.MaxValue)(random.nextInt(2))
        else random.nextInt(places).toLong
      val count = 1 + random.nextInt(600)
      (0 until count).foreach { row =>
        rows.at(row) = new Placed(drawn(), 1.0 + random.nextInt(weights), random.nextInt(lasts).toLong)
        lines.ensureRoom(row)
        lines.add(0, row)
      }
      (1 to 12).foreach { _ =>
        val by = curve(random)
        val origin = if (isFar) drawn() else random.nextInt(2 * places).toLong
        search.find(0, by, origin)
        assert((search.row, search.rank) == naive(rows, by, origin))
        val others = rows.at.keys.filter(rows.coordinate(_) != rows.coordinate(search.row))
        assert(others.forall(rank(rows, by, origin)(_) >= search.rest))
        if (rows.at.size > 1) {
          lines.remove(0, search.row)
          rows.at -= search.row
        }
      }
    }
  }

  test("few of many nodes are looked at") {
    val random = new Random(1)
    val rows = new Rows
    val lines = new RangeFirsts(1, rows, Budget.unlimited)
    var compared = 0
    val counting = new Rows {
      override def compareContent(a: Int, b: Int): Int = {
        compared += 1
        rows.compareContent(a, b)
      }
    }
    val search = new LeastRankSearch(lines, counting, Budget.unlimited)
    (0 until 20000).foreach { row =>
      rows.at(row) = new Placed(row.toLong, 1.0 + random.nextInt(20), 0)
      lines.ensureRoom(row)
      lines.add(0, row)
    }
    val flat = new GridCurve(1, 0, Array.fill(4096)(1.0), Budget.unlimited, above = 1, below = 1)
    search.find(0, flat, 10000)
    assert(compared < 100, "of rows that are all worth the same only the first ones of nodes are compared")
  }
}
