package shedjoin.core.alloc

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.Seeded
import shedjoin.core.model.AgeCurve

class AllocationSuite extends AnyFunSuite with Seeded {

  private def anyCurve(random: Random, most: Int): RecallCurve = {
    val points = 1 + random.nextInt(5)
    val rows = Seq.fill(points)(1 + random.nextInt(most)).scanLeft(0)(_ + _).map(_.toDouble)
    val recalls = Seq.fill(points)(random.nextInt(4)).scanLeft(0)(_ + _).map(_.toDouble)
    val top = math.max(recalls.last, 1)
    RecallCurve(rows.toArray, (recalls.init.map(_ / top) :+ 1.0).toArray)
  }

  private def anyDemands(random: Random): Seq[JoinDemand] =
    Seq.fill(1 + random.nextInt(3))(JoinDemand(anyCurve(random, 5), Seq(1.0, 1.0, 2.0, 0.5)(random.nextInt(4))))

  private def splits(joins: Int, rows: Int): Seq[Seq[Long]] =
    if (joins == 0) Seq(Nil) else (1 to rows - joins + 1).flatMap(r => splits(joins - 1, rows - r).map(r.toLong +: _))

  test("the least recall, weighted or not, is the best of all splits of whole rows with at least one each") {
    histories(500) { random =>
      val demands = anyDemands(random)
      val rows = demands.size + random.nextInt(20)
      val split = Allocation.maxMin(demands, rows.toLong)
      assert(split.forall(_ >= 1) && split.sum <= rows)
      val best = splits(demands.size, rows).map(Allocation.quality(demands, _)).max
      assert(math.abs(Allocation.quality(demands, split) - best) < 1e-9, s"$split of $rows")
    }
  }

  test("theorem 5.1: where memory is short and recall rises strictly, all joins get the same recall, but for one row") {
    var short = 0
    histories(300) { random =>
      val demands = Seq.fill(3) {
        val rows = Array(0.0, 100.0 + random.nextInt(1000), 2000.0 + random.nextInt(3000))
        JoinDemand(RecallCurve(rows, Array(0, 0.2 + random.nextDouble() * 0.6, 1)), 0.5 + random.nextDouble())
      }
      val all = demands.map(_.curve.window).sum
      val split = Allocation.maxMin(demands, (all * (0.1 + random.nextDouble() * 0.2)).toLong)
      val quality = Allocation.quality(demands, split)
      // Of the greatest weight a join may have all it wants.
      if (demands.forall(demand => quality * demand.weight < 1)) {
        short += 1
        demands.zip(split).foreach { case (demand, rows) =>
          assert(demand.curve.recall(rows - 3.0) / demand.weight <= quality)
        }
      }
    }
    overall(assert(short > times(280)))
  }

  test("no split gives away more than there is, or leaves over what is of use") {
    histories(500) { random =>
      val demands = anyDemands(random)
      val rows = demands.size + random.nextInt(40).toLong
      val all = demands.map(d => math.max(1, math.ceil(d.curve.rowsFor(1))).toLong).sum
      val windows = demands.map(_.curve.window.toLong).sum
      Seq(Allocation.maxMin(demands, rows) -> all, Allocation.proportional(demands, rows) -> windows).foreach {
        case (split, wanted) =>
          assert(split.forall(_ >= 1) && split.sum == math.min(rows, wanted), s"$split of $rows, $wanted wanted")
      }
    }
  }

  test("the fewest rows for a recall are those at which it is reached") {
    histories(500) { random =>
      val curve = anyCurve(random, 50)
      (0 to 20).map(_ / 20.0).foreach { recall =>
        val rows = curve.rowsFor(recall)
        assert(curve.recall(rows) >= recall - 1e-9)
        assert(rows == 0 || curve.recall(rows - 1e-6) < recall)
      }
    }
  }

  test("a curve that falls, does not rise from 0 rows or does not come to 1 is refused, and so is too little memory") {
    assertThrows[IllegalArgumentException](RecallCurve(Array(0, 1, 2), Array(0, .5, .4)))
    assertThrows[IllegalArgumentException](RecallCurve(Array(0, 1, 2), Array(0, 1, .9)))
    assertThrows[IllegalArgumentException](RecallCurve(Array(1, 2), Array(0, 1)))
    assertThrows[IllegalArgumentException](RecallCurve(Array(0, 2, 2), Array(0, .5, 1)))
    assertThrows[IllegalArgumentException](RecallCurve(Array(0, 2), Array(0, .5)))
    assertThrows[IllegalArgumentException](RecallCurve.ofAge(new AgeCurve(3, Array(3, 0, 2)), 1))
    val demand = JoinDemand(RecallCurve(Array(0, 2), Array(0, 1)))
    assertThrows[IllegalArgumentException](Allocation.maxMin(Seq(demand, demand), 1))
    assertThrows[IllegalArgumentException](Allocation.proportional(Nil, 1))
  }

  private def givenAway(from: Seq[Long], to: Seq[Long]): Long =
    from.zip(to).map { case (a, b) => math.max(0, a - b) }.sum

  test("a split that is worth changing becomes as good as ALLOC's, and of all such splits with the fewest rows given") {
    histories(400) { random =>
      val demands = anyDemands(random)
      val rows = demands.size + random.nextInt(16)
      val current = demands.map(_ => random.nextInt(8).toLong)
      val split = Allocation.resolved(demands, rows.toLong, current, worthwhile = 0)
      val best = Allocation.quality(demands, Allocation.maxMin(demands, rows.toLong))
      assert(split.forall(_ >= 1) && split.sum <= rows)
      assert(Allocation.quality(demands, split) >= best - 1e-6)
      val asGood = splits(demands.size, rows).filter(Allocation.quality(demands, _) >= best - 1e-6)
      assert(givenAway(current, split) == asGood.map(givenAway(current, _)).min, s"$current to $split of $rows")
    }
  }

  /** Joins whose curves move a little at each step: a random walk of how many rows bring half of the recall. */
  final private class MovingJoins(random: Random) {
    private val halves = Array.fill(4)(0.1 + 0.8 * random.nextDouble())
    private val weights = halves.map(_ => 0.5 + random.nextDouble())

    def moved(): Seq[JoinDemand] = halves.indices.map { i =>
      halves(i) = math.min(0.9, math.max(0.1, halves(i) + 0.005 * random.nextGaussian()))
      JoinDemand(RecallCurve(Array(0, 1000 * halves(i), 1000), Array(0, 0.5, 1)), weights(i))
    }
  }

  test("as curves move the split stays within the part told of ALLOC's, and fewer rows are given away") {
    val moves = Seq(0.0, 0.02, 0.1).map { worthwhile =>
      var followed, solved = 0L
      histories(20) { random =>
        val joins = new MovingJoins(random)
        var rows = 1500L
        var split = Allocation.maxMin(joins.moved(), rows)
        var pure = split
        (1 to 100).foreach { step =>
          val demands = joins.moved()
          if (step % 25 == 0) rows += random.nextInt(400) - 200
          val next = Allocation.resolved(demands, rows, split, worthwhile)
          val best = Allocation.maxMin(demands, rows)
          assert(next.forall(_ >= 1) && next.sum == best.sum)
          val quality = Allocation.quality(demands, next)
          assert(quality * (1 + worthwhile) >= Allocation.quality(demands, best) - 1e-6)
          followed += givenAway(split, next)
          solved += givenAway(pure, best)
          split = next
          pure = best
        }
      }
      info(s"worth while from $worthwhile on: $followed rows given away, $solved where ALLOC is solved anew")
      assert(followed <= solved * 1.01)
      followed
    }
    assert(moves(1) < 0.9 * moves(0) && moves(2) < 0.5 * moves(0))
  }

  test("a join that is new gets its row, and so do all where memory shrinks") {
    val demand = JoinDemand(RecallCurve(Array(0, 10), Array(0, 1)))
    assert(Allocation.resolved(Seq(demand, demand), 10, Seq(10, 0), worthwhile = 1) == Seq(5, 5))
    assert(Allocation.resolved(Seq(demand, demand), 2, Seq(6, 4), worthwhile = 1) == Seq(1, 1))
    assert(Allocation.resolved(Seq(demand, demand), 10, Seq(6, 4), worthwhile = 0.5) == Seq(6, 4))
    assertThrows[IllegalArgumentException](Allocation.resolved(Seq(demand, demand), 10, Seq(6), worthwhile = 1))
    assertThrows[IllegalArgumentException](Allocation.resolved(Seq(demand), 10, Seq(6), worthwhile = -1))
  }

  /** The increasing and the decreasing age curve of figure 11. */
  private def figure11(exponent: Int): Seq[JoinDemand] = {
    val parts = 20
    Seq[Int => Int](k => k, k => parts - k).map { base =>
      val heights = (1 to parts).map(k => math.pow(base(k), exponent))
      JoinDemand(RecallCurve.ofAge(new AgeCurve(500, heights.map(_ * 5 / heights.sum).toArray), 1000))
    }
  }

  test("figure 11: the least recall is .500, .623, .687 and .728 for exponents 0 to 3, and .500 with PROP") {
    Seq(.500, .623, .687, .728).zipWithIndex.foreach { case (figure, exponent) =>
      val demands = figure11(exponent)
      val half = 500000L
      val alloc = Allocation.quality(demands, Allocation.maxMin(demands, half))
      val prop = Allocation.quality(demands, Allocation.proportional(demands, half))
      info(f"exponent $exponent: ALLOC $alloc%.4f, PROP $prop%.4f")
      assert(math.abs(alloc - figure) < .001 && math.abs(prop - .5) < .001)
    }
  }

  test("figure 10: as skew grows ALLOC moves memory from the inversely to the directly correlated join") {
    val content = 400.0
    val qualities = Seq(.5, 1.0, 2.0, 3.0).map { skew =>
      val weights = (1 to 50).map(math.pow(_, -skew))
      val left = weights.map(_ / weights.sum)
      val demands =
        Seq(left, left.reverse).map(right => JoinDemand(RecallCurve.ofFrequencies(left.map(_ * content), right)))
      val rows = (2 * content * .2).toLong
      val split = Allocation.maxMin(demands, rows)
      val alloc = Allocation.quality(demands, split)
      val prop = Allocation.quality(demands, Allocation.proportional(demands, rows))
      info(f"skew $skew: ALLOC $alloc%.3f by $split, PROP $prop%.3f")
      assert(split.forall(_ >= 1) && alloc >= prop - 1e-9)
      (alloc, prop, split)
    }
    assert(qualities.last._3(1) < qualities.head._3(1))
    assert(qualities.map(_._2).last < qualities.map(_._2).head)
    assert(qualities.last._1 > 1.5 * qualities.last._2)
  }
}
