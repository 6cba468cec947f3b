package shedjoin.sim

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.model.{AgeCurves, PaperCurves}
import shedjoin.sim.generate.Windowed

/** Paper 1, section 6.2.2: recall by share of the memory that the window takes. The figures are those of `ERRATA`. */
class AgeSuite extends AnyFunSuite {
  private val units = 6000

  private def recall(curve: String, policy: String, share: Double, seeds: Range): Means = Means.over(seeds) { seed =>
    val parts = AgeCurves.expected(curve)
    val trace = Windowed.byAge(parts, units, seed.toLong)
    val age = Map("left_curve" -> parts.mkString(" "), "left_window" -> s"${Windowed.window.after}")
    val settings = SimSettings(
      policy,
      if (policy == "age") age else Map.empty,
      memory = Memory.Apart(math.round(share * Traces.windowContent).toInt, 1),
      within = Windowed.window,
      count = Counted.Right,
      warmup = 1000 * Windowed.unit
    )
    Simulated(trace, settings).outputs.toDouble / Traces.exactOutputs(trace, settings)
  }

  private val halves = Seq(
    ("INC", "age", .498),
    ("INC", "oldest_first", .134),
    ("INC", "newest_first", .498),
    ("DEC", "age", .885),
    ("DEC", "oldest_first", .885),
    ("DEC", "newest_first", .502),
    ("BELL", "age", .668),
    ("BELL", "oldest_first", .572),
    ("BELL", "newest_first", .501)
  )

  halves.foreach { case (curve, policy, figure) =>
    test(s"$curve at half the memory: $policy finds $figure") {
      val found = recall(curve, policy, .5, 1 to 10)
      info(found.toString)
      assert(found.agrees(figure, .0005))
    }
  }

  test("AGE finds what equation 3 says, within .01, from 10 to 90 per cent") {
    val off = for {
      (name, curve) <- PaperCurves.all.toSeq
      share <- (1 to 9).map(_ / 10.0)
    } yield {
      val found = recall(name, "age", share, 1 to 10).mean
      val said = curve.recall(share * Traces.windowContent, Windowed.rate)
      info(f"$name $share: $found%.4f, equation 3 $said%.4f")
      math.abs(found - said)
    }
    assert(off.max < .01)
  }
}
