package shedjoin.sim

import java.util.SplittableRandom

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.model.AgeCurves
import shedjoin.sim.generate.Noises

/** Policies that learn, against the same ones that were told: at most 3 % of the recall is lost, after a warm-up and two
  * windows after all has changed. Means over seeds.
  */
class LearnedSuite extends AnyFunSuite {
  private val most = .03

  /** Where the rarest values there is room for come less than once in a window, so that nobody can rank them. */
  private val mostOfRare = .12

  /** Runs of a trace of which only what comes from `from` on counts. */
  private case class Stretch(trace: Trace, within: Within, rows: Int, from: Long) {
    def outputs(policy: String, settings: Map[String, String]): Double =
      Simulation.run(trace, SimSettings(policy, settings, Memory.Shared(rows), within, warmup = from)).outputs.toDouble
  }

  private def check(policy: String, told: Map[String, String], learning: Map[String, String], most: Double = most)(
      make: Int => Stretch
  ): Unit = {
    val runs = (1 to 2).map { seed =>
      val stretch = make(seed)
      (stretch.outputs(policy, told), stretch.outputs(policy, learning), stretch.outputs("random", Map.empty))
    }
    val (told0, learned, random) = (runs.map(_._1).sum, runs.map(_._2).sum, runs.map(_._3).sum)
    info(f"learned ${learned / told0}%.4f of told, random ${random / told0}%.4f")
    assert(learned >= (1 - most) * told0)
    assert(random < learned)
  }

  // Frequencies: a row a side and tick, the common values of the one side rare on the other.

  private val window = 3200

  private def zipf(keys: Int): Array[Double] = {
    val weights = (1 to keys).map(1.0 / _)
    weights.map(_ / weights.sum).toArray
  }

  /** The sides change places at `change`. */
  private def frequencies(keys: Int, windows: Int, change: Int, seed: Int): Trace = {
    val random = new SplittableRandom(seed.toLong)
    val draw = new Noises.Draw(zipf(keys))
    val ticks = windows * window
    def side(common: Int): TraceSide = TraceSide.ofSteps(Array.tabulate(ticks) { t =>
      val value = draw.next(random)
      (if ((common == 0) == (t < change)) value else keys - 1 - value).toLong
    })
    Trace(side(0), side(1), isStepwise = true)
  }

  private def rates(keys: Int, isSwapped: Boolean): Map[String, String] = {
    val rare = zipf(keys).reverse.mkString(" ")
    val common = zipf(keys).mkString(" ")
    Map("left_rates" -> (if (isSwapped) common else rare), "right_rates" -> (if (isSwapped) rare else common))
  }

  private val bothWays = Within(window.toLong, window.toLong)

  for {
    (keys, most) <- Seq(50 -> most, 200 -> most, 2000 -> mostOfRare)
    (policy, settings) <- Seq("prob" -> Map.empty[String, String], "heeb" -> Map("alpha" -> "1000"))
  } {
    test(s"$policy of $keys values learns how often they come") {
      check(policy, rates(keys, isSwapped = false) ++ settings, settings, most) { seed =>
        val trace = frequencies(keys, 5, Int.MaxValue, seed)
        Stretch(trace, bothWays, 1000, 3L * window)
      }
    }
    test(s"$policy of $keys values follows a change of how often they come") {
      check(policy, rates(keys, isSwapped = true) ++ settings, settings, most) { seed =>
        Stretch(frequencies(keys, 7, 3 * window, seed), bothWays, 1000, 5L * window)
      }
    }
  }

  // Ages: a left row a tick, and five right ones, each a partner of one left row by its age.

  private def ages(before: Array[Double], after: Array[Double], windows: Int, change: Int, seed: Int): Trace = {
    val random = new SplittableRandom(seed.toLong)
    val draws = Seq(before, after).map(new Noises.Draw(_))
    val ticks = windows * window
    val times = Array.tabulate(5 * ticks)(i => (i / 5).toLong)
    val values = times.map { t =>
      val part = draws(if (t < change) 0 else 1).next(random)
      t - (part * window + random.nextInt(window)) / before.length - 1
    }
    Trace(TraceSide.ofSteps(Array.tabulate(ticks)(_.toLong)), TraceSide(times, values), isStepwise = true)
  }

  private def curve(name: String): Map[String, String] =
    Map("left_window" -> s"$window", "left_curve" -> AgeCurves.expected(name).mkString(" "))

  for ((name, before) <- AgeCurves.expected; share <- Seq(.35, .5))
    test(s"age learns the curve $name, with $share of the memory") {
      check("age", curve(name), Map.empty) { seed =>
        val trace = ages(before, before, 8, Int.MaxValue, seed)
        Stretch(trace, Within(0, window.toLong), (share * window).toInt, 4L * window)
      }
    }

  for ((from, to) <- Seq("DEC" -> "INC", "INC" -> "BELL", "BELL" -> "DEC"))
    test(s"age follows a change of the curve from $from to $to") {
      check("age", curve(to), Map.empty) { seed =>
        val trace = ages(AgeCurves.expected(from), AgeCurves.expected(to), 8, 4 * window, seed)
        Stretch(trace, Within(0, window.toLong), window / 2, 6L * window)
      }
    }
}
