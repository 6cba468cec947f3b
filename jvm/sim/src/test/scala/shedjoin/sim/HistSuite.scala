package shedjoin.sim

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.sim.generate.{Drifting, Noises}

/** Paper 3, section 6.2 and figures 13 and 14: HEEB learned in histograms, against HEEB that knows the streams. */
class HistSuite extends AnyFunSuite {

  private def hits(make: Long => Drifting, rows: Int, policy: String, more: Map[String, String] = Map.empty): Means =
    Means.over(1 to 10) { seed =>
      val stream = make(seed.toLong)
      val settings = if (policy == "heeb") stream.heeb ++ more else more
      Simulation
        .run(stream.trace, SimSettings(policy, settings, Memory.Shared(rows), warmup = 200, seed = seed.toLong))
        .outputs
        .toDouble
    }

  private def noisy(deviation: Double)(seed: Long): Drifting = {
    val noise = Noises.normal(deviation, math.ceil(4 * deviation).toInt)
    Drifting.trend(noise, noise, seed)
  }

  Seq((1.0, .90), (8.0, .76)).foreach { case (deviation, least) =>
    test(s"with noise of deviation $deviation hist finds at least $least of what HEEB does") {
      Seq(5, 10, 20).foreach { rows =>
        val heeb = hits(noisy(deviation), rows, "heeb")
        val random = hits(noisy(deviation), rows, "random")
        val hist = hits(noisy(deviation), rows, "hist")
        info(f"$rows rows: $hist, HEEB $heeb, random $random: ${hist.mean / heeb.mean}%.3f")
        assert(hist.mean >= least * heeb.mean)
      }
    }
  }

  test("the streams of figure 8") {
    val streams = Seq[(String, Long => Drifting, String)](
      ("TOWER", Drifting.tower, "trend"),
      ("ROOF", Drifting.roof, "trend"),
      ("FLOOR", Drifting.floor, "trend"),
      ("WALK", Drifting.walk(_, 10), "walk")
    )
    streams.foreach { case (name, make, model) =>
      val heeb = hits(make, 10, "heeb")
      val random = hits(make, 10, "random")
      val hist = hits(make, 10, "hist", Map("model" -> model))
      info(f"$name: $hist, HEEB $heeb, random $random: ${hist.mean / heeb.mean}%.3f")
    }
  }

  test("FLOOR by alpha") {
    Seq(2, 3, 4, 5, 6, 8, 12, 20).foreach { alpha =>
      val found = Seq[Long => Drifting](Drifting.floor, Drifting.roof, Drifting.tower, Drifting.walk(_, 10)).map(make =>
        hits(make, 10, "heeb", Map("alpha" -> s"$alpha")))
      info(s"$alpha: $found")
    }
    val learned = Seq[Long => Drifting](Drifting.floor, Drifting.roof, Drifting.tower, Drifting.walk(_, 10)).map(make =>
      hits(make, 10, "heeb", Map("alpha" -> "learned")))
    info(s"learned: $learned")
  }
}
