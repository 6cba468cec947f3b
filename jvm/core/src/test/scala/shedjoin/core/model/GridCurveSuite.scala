package shedjoin.core.model

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.{Budget, Seeded}

class GridCurveSuite extends AnyFunSuite with Seeded {

  test("runs cover all offsets, rise or fall all the way, and know where the worth is the same") {
    histories(1000) { random =>
      val width = 1L + random.nextInt(3)
      val from = random.nextInt(20).toLong - 10
      val values = Array.fill(random.nextInt(12))(random.nextInt(4).toDouble)
      val curve = new GridCurve(width, from, values, Budget.unlimited)
      def expected(offset: Long): Double =
        values.indices.find(i => offset >= from + i * width && offset < from + (i + 1) * width).fold(0.0)(values(_))
      val offsets = (from - 5) to (from + width * values.length + 5)
      offsets.foreach(offset => assert(curve.at(offset) == expected(offset)))
      val owners = offsets.map(o => (0 until curve.runs).filter(r => curve.runFrom(r) <= o && o <= curve.runTo(r)))
      assert(owners.forall(_.size == 1) && owners.map(_.head) == owners.map(_.head).sorted)
      (0 until curve.runs).foreach { run =>
        val inside = offsets.zip(owners).filter(_._2.head == run).map(_._1)
        inside.zip(inside.drop(1)).foreach { case (a, b) =>
          assert(if (curve.rises(run)) curve.at(a) <= curve.at(b) else curve.at(a) >= curve.at(b), s"run $run at $a")
        }
        inside.foreach { offset =>
          val same = inside.filter(curve.at(_) == curve.at(offset))
          val flat = inside.filter(o => o >= curve.flatFrom(offset, run) && o <= curve.flatTo(offset, run))
          assert(flat == same, s"around $offset")
        }
      }
    }
  }

  test("a curve is counted") {
    val budget = Budget.unlimited
    new GridCurve(1, 0, Array(1, 2, 1), budget)
    assert(
      budget.usedBytes == Budget.arrayBytes(3, 8) + Budget.arrayBytes(5, 4),
      "the values, and room for the ends of as many runs as other worths may have"
    )
  }
}
