package shedjoin.sim

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.sim.generate.Windowed

/** Paper 1, section 3.3: the recall of PROB, whose formula counts the part of the next value that there is room for. */
class ProbSuite extends AnyFunSuite {

  private def formula(left: Seq[Double], right: Seq[Double], rows: Double): Double = {
    val common = left.indices.sortBy(v => -right(v))
    val kept = common.scanLeft(rows)((room, v) => room - Traces.windowContent * left(v)).map(math.max(_, 0.0))
    val found = common.zip(kept).map { case (v, room) => right(v) * math.min(left(v), room / Traces.windowContent) }
    found.sum / left.indices.map(v => left(v) * right(v)).sum
  }

  private def check(name: String, rank: Int => Int, skew: Double, share: Double): Unit =
    test(s"$name, skew $skew, $share of the memory: the recall of PROB is the formula's") {
      val left = Windowed.frequencies(skew).toSeq
      val right = left.indices.map(v => left(rank(v)))
      val rows = math.round(share * Traces.windowContent).toInt
      val found = Means.over(1 to 10) { seed =>
        val trace = Windowed.zipf(skew, rank, 6000, seed.toLong)
        val settings = SimSettings(
          "prob",
          Map("left_rates" -> right.mkString(" ")),
          memory = Memory.Apart(rows, 1),
          within = Windowed.window,
          count = Counted.Right,
          warmup = 1000 * Windowed.unit
        )
        Simulated(trace, settings).outputs.toDouble / Traces.exactOutputs(trace, settings)
      }
      val said = formula(left, right, rows.toDouble)
      info(f"$found, formula $said%.4f")
      assert(math.abs(found.mean - said) < 3 * found.error)
    }

  for (skew <- Seq(.5, 1.0, 2.0)) {
    check("DC", Windowed.correlated, skew, .2)
    check("IC", Windowed.inverse, skew, .2)
  }
}
