package shedjoin.sim

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.model.Distribution
import shedjoin.sim.generate.{Drifting, Noises}

/** Paper 3, section 8: hits with a cache of 10 rows after a warm-up of 200 steps. The figures are those of `ERRATA`. */
class HeebSuite extends AnyFunSuite {
  private val cache = 10

  private def hits(make: Long => Drifting, policy: String): Means = Means.over(1 to 10) { seed =>
    val stream = make(seed.toLong)
    val settings = if (policy == "heeb") stream.heeb else Map.empty[String, String]
    Simulated(
      stream.trace,
      SimSettings(policy, settings, Memory.Shared(cache), warmup = 200, seed = seed.toLong)
    ).outputs.toDouble
  }

  private val streams = Seq[(String, Long => Drifting, Double, Double)](
    ("TOWER", Drifting.tower(_, Drifting.steps), 2883, 4055),
    ("ROOF", Drifting.roof(_, Drifting.steps), 2337, 3494),
    ("FLOOR", Drifting.floor(_, Drifting.steps), 1794, 1910),
    ("WALK", Drifting.walk(_, cache), 374, 1249)
  )

  streams.foreach { case (name, make, random, heeb) =>
    test(s"$name: random sheds to $random hits, HEEB to $heeb") {
      val means = Seq("random", "heeb", "prob", "life").map(p => p -> hits(make, p)).toMap
      info(means.toString)
      assert(means("random").agrees(random, .5) && means("heeb").agrees(heeb, .5), means)
      assert(Seq("random", "prob", "life").forall(means(_).mean < means("heeb").mean), means)
    }
  }

  test("HEEB finds more than random, PROB and LIFE at every size of the cache") {
    streams.foreach { case (name, make, _, _) =>
      val traces = (1 to 10).map(seed => make(seed.toLong))
      Seq(1, 3, 20, 35).foreach { rows =>
        def mean(policy: String): Double = traces.map { stream =>
          val settings = if (policy == "heeb") stream.heeb else Map.empty[String, String]
          Simulated(stream.trace, SimSettings(policy, settings, Memory.Shared(rows), warmup = 200)).outputs
        }.sum / traces.size.toDouble
        val heeb = mean("heeb")
        Seq("random", "prob", "life").foreach(p => assert(mean(p) <= heeb, s"$name, $rows rows, $p"))
      }
    }
  }

  private def shareLeft(make: Long => Drifting): Means = Means.over(1 to 10) { seed =>
    val stream = make(seed.toLong)
    Simulated(stream.trace, SimSettings("heeb", stream.heeb, Memory.Shared(cache), warmup = 200)).shareLeft
  }

  private def like(deviation: Double): Distribution = Noises.normal(deviation, 10)

  Seq(0 -> .50, 2 -> .32, 4 -> .13).foreach { case (lag, figure) =>
    test(s"figure 16: of the cache $figure are rows of R, where R lags $lag steps behind S") {
      val share = shareLeft(seed => Drifting.trend(like(1), like(1), seed, lag))
      info(share.toString)
      assert(share.agrees(figure, .005))
    }
  }

  Seq(2 -> .66, 4 -> .72).foreach { case (times, figure) =>
    test(s"figure 16: of the cache $figure are rows of R, where S's deviation is $times times R's") {
      val share = shareLeft(seed => Drifting.trend(like(1), like(times.toDouble), seed, lag = 0))
      info(share.toString)
      assert(share.agrees(figure, .005))
    }
  }
}
