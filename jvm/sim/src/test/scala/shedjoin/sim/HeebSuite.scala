package shedjoin.sim

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.sim.generate.Drifting

/** Paper 3, section 8: hits with a cache of 10 rows after a warm-up of 200 steps. The figures are those of `ERRATA`. */
class HeebSuite extends AnyFunSuite {
  private val cache = 10

  private def hits(make: Long => Drifting, policy: String): Means = Means.over(1 to 10) { seed =>
    val stream = make(seed.toLong)
    val settings = if (policy == "heeb") stream.heeb else Map.empty[String, String]
    Simulation
      .run(stream.trace, SimSettings(policy, settings, Memory.Shared(cache), warmup = 200, seed = seed.toLong))
      .outputs
      .toDouble
  }

  private val streams = Seq[(String, Long => Drifting, Double, Double)](
    ("TOWER", Drifting.tower, 2883, 4055),
    ("ROOF", Drifting.roof, 2337, 3494),
    ("FLOOR", Drifting.floor, 1794, 1910),
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
}
