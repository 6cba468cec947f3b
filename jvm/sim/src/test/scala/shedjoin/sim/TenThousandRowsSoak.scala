package shedjoin.sim

import java.util.SplittableRandom

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.join.Side
import shedjoin.core.model.{AutoRegression, Horizon}
import shedjoin.sim.generate.Categories

/** What policies with 10,000 rows stored lose against the papers' schemes, which look at every row: 1 per cent at most. */
class TenThousandRowsSoak extends AnyFunSuite {
  private val rows = 10000

  test("ijoin against the successive scheme of paper 2") {
    val kinds = Categories(domain = 2000, isWeighted = true, round = 3000, steps = 7500, seed = 1)
    Seq("drift" -> kinds.drift, "bursts" -> kinds.bursts, "zipf" -> kinds.zipf).foreach { case (name, trace) =>
      val settings = SimSettings("ijoin", memory = Memory.Shared(rows), within = Within(7000, 7000))
      val reference = new IJoinReference(new Recomputing.Successive)
      val successive = Simulated(trace, settings.copy(reference = Some(reference))).importance
      val found = Simulated(trace, settings).importance
      info(f"$name: ${100 * (1 - found / successive)}%.4f per cent lost, ${reference.decisions} decisions")
      assert(reference.decisions > 3000 && found >= .99 * successive, name)
    }
  }

  private val steps = 15000

  /** H of a value after a latest one, computed once. */
  final private class Worths(model: AutoRegression, horizon: Horizon, val low: Int, val size: Int) {
    private val known = Array.fill(size)(Array.fill(size)(Double.NaN))
    def apply(value: Int, latest: Int): Double = {
      if (known(latest)(value).isNaN)
        known(latest)(value) = model.benefit((low + value).toDouble, (low + latest).toDouble, horizon)
      known(latest)(value)
    }
  }

  /** Hits where each victim is a row of the value of least H, looked for among all values. */
  private def scanned(trace: Trace, worths: Seq[Worths], warmup: Int): Long = {
    val sides = Seq(trace.left, trace.right)
    val stored = worths.map(of => new Array[Int](of.size))
    var count = 0
    var hits = 0L
    (0 until steps).foreach { step =>
      val values = Seq(0, 1).map(side => (sides(side).values(step) - worths(side).low).toInt)
      if (step >= warmup) hits += stored(0)(values(1)) + stored(1)(values(0))
      Seq(0, 1).foreach(side => stored(side)(values(side)) += 1)
      count += 2
      while (count > rows) {
        val (side, victim, _) = Seq(0, 1)
          .map { side =>
            val of = stored(side)
            var least = Double.PositiveInfinity
            var at = -1
            of.indices.foreach { value =>
              if (of(value) > 0) {
                val worth = worths(side)(value, values(Side.other(side)))
                if (worth < least) {
                  least = worth
                  at = value
                }
              }
            }
            (side, at, least)
          }
          .minBy(_._3)
        stored(side)(victim) -= 1
        count -= 1
      }
    }
    hits
  }

  test("heeb on AR(1) streams against H of every stored row") {
    Seq((.72, 60.0, 5000.0), (.95, 20.0, 2000.0), (-.6, 40.0, 5000.0), (.5, 2.0, 50.0)).foreach {
      case (phi, deviation, alpha) =>
        val model = AutoRegression(phi, 10, deviation)
        val random = new SplittableRandom(3)
        val trace = Trace.ofSteps(Traces.drawn(model, steps, random), Traces.drawn(model, steps, random))
        val all = Seq(trace.left, trace.right).flatMap(_.values)
        val worths =
          Seq(0, 1).map(_ => new Worths(model, Horizon.Decay(alpha), all.min.toInt, (all.max - all.min).toInt + 1))
        val told = Map("phi" -> phi, "constant" -> 10.0, "deviation" -> deviation).flatMap { case (name, value) =>
          Seq("left", "right").map(side => s"${side}_$name" -> s"$value")
        }
        val settings = Map("model" -> "ar1", "alpha" -> s"$alpha") ++ told
        val found = Simulated(trace, SimSettings("heeb", settings, Memory.Shared(rows), warmup = 5500)).outputs
        val best = scanned(trace, worths, 5500)
        info(f"phi $phi, deviation $deviation, alpha $alpha: ${100 * (1 - found.toDouble / best)}%.3f per cent lost")
        assert(found >= .99 * best, s"phi $phi")
    }
  }
}
