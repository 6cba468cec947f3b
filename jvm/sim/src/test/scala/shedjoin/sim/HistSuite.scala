package shedjoin.sim

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.sim.generate.{Drifting, Noises}

/** Paper 3, section 6.2 and figures 13 and 14: HEEB learned in histograms, against HEEB that knows the streams. */
class HistSuite extends AnyFunSuite {

  private def hits(make: Long => Drifting, rows: Int, policy: String, more: Map[String, String] = Map.empty): Means =
    Means.over(1 to 10) { seed =>
      val stream = make(seed.toLong)
      val settings = if (policy == "heeb") stream.heeb ++ more else more
      Simulated(
        stream.trace,
        SimSettings(policy, settings, Memory.Shared(rows), warmup = 200, seed = seed.toLong)
      ).outputs.toDouble
    }

  private def noisy(deviation: Double)(seed: Long): Drifting = {
    val noise = Noises.normal(deviation, math.ceil(4 * deviation).toInt)
    Drifting.trend(noise, noise, seed)
  }

  Seq((1.0, .90), (8.0, .76)).foreach { case (deviation, least) =>
    test(s"with noise of deviation $deviation hist finds at least $least of what HEEB does") {
      Seq(5, 10).foreach { rows =>
        val heeb = hits(noisy(deviation), rows, "heeb")
        val random = hits(noisy(deviation), rows, "random")
        val hist = hits(noisy(deviation), rows, "hist")
        info(f"$rows rows: $hist, HEEB $heeb, random $random: ${hist.mean / heeb.mean}%.3f")
        assert(hist.mean >= least * heeb.mean)
      }
    }
  }

  private val drifting = Seq[(String, Long => Drifting, String)](
    ("TOWER", Drifting.tower(_, Drifting.steps), "trend"),
    ("ROOF", Drifting.roof(_, Drifting.steps), "trend"),
    ("FLOOR", Drifting.floor(_, Drifting.steps), "trend"),
    ("WALK", Drifting.walk(_, 10), "walk")
  )

  drifting.foreach { case (name, make, model) =>
    test(s"on $name hist finds more than random, and no more than chance allows above HEEB") {
      val heeb = hits(make, 10, "heeb")
      val random = hits(make, 10, "random")
      val hist = hits(make, 10, "hist", Map("model" -> model))
      info(f"$hist, HEEB $heeb, random $random: ${hist.mean / heeb.mean}%.3f")
      assert(hist.mean > random.mean && hist.mean < heeb.mean + 3 * heeb.error)
      if (model == "trend") assert(hist.mean >= .9 * heeb.mean)
    }
  }

  test("alpha learned from lifetimes helps on FLOOR, and costs nothing on TOWER and ROOF") {
    drifting.take(3).foreach { case (name, make, _) =>
      val told = hits(make, 10, "heeb")
      val learned = hits(make, 10, "heeb", Map("alpha" -> "learned"))
      val gain = Means(learned.values.zip(told.values).map { case (a, b) => a - b })
      info(s"$name: $learned learned, $told told, a gain of $gain")
      if (name == "FLOOR") assert(gain.mean > 3 * gain.error) else assert(gain.mean > -.005 * told.mean)
    }
  }
}
