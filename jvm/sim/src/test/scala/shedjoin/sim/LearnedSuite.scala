package shedjoin.sim

import java.util.SplittableRandom

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.model.{AgeCurves, AutoRegression}
import shedjoin.sim.generate.Noises

/** Policies that learn, against the same ones that were told: at most 3 % of the recall is lost, after a warm-up and two
  * windows after all has changed. Where values are so many that exact counts of all that came lose more than that, at most
  * 3 % of what those find. Means over seeds.
  */
abstract class LearnedPolicies(valueCounts: Seq[Int]) extends AnyFunSuite {
  private val most = .03

  /** Runs of a trace of which only what comes from `from` on counts. */
  protected case class Stretch(trace: Trace, within: Within, rows: Int, from: Long) {
    def outputs(
        policy: String,
        settings: Map[String, String] = Map.empty,
        reference: Option[ReferencePolicy] = None,
        ledger: Option[Long] = None
    ): Double = {
      val run = SimSettings(policy, settings, Memory.Shared(rows), within, warmup = from)
      Simulated(trace, run.copy(reference = reference, ledgerBytes = ledger)).outputs.toDouble
    }
  }

  protected def check(
      policy: String,
      told: Map[String, String],
      learning: Map[String, String],
      counts: Option[ReferencePolicy] = None,
      seeds: Int = 2,
      ledger: Option[Long] = None
  )(make: Int => Stretch): Unit = {
    val stretches = (1 to seeds).map(make)
    val known = stretches.map(_.outputs(policy, told)).sum
    val learned = stretches.map(_.outputs(policy, learning, ledger = ledger)).sum
    val random = stretches.map(_.outputs("random")).sum
    val counted = counts.map(counts => stretches.map(_.outputs(policy, reference = Some(counts))).sum)
    info(f"learned ${learned / known}%.4f of told, random ${random / known}%.4f")
    counted.foreach(exact => info(f"exact counts ${exact / known}%.4f of told, learned ${learned / exact}%.4f of that"))
    assert(learned >= (1 - most) * counted.fold(known)(math.min(known, _)))
    assert(random < learned)
  }

  // Frequencies: a row a side and tick, the common values of the one side rare on the other.

  protected val window = 3200

  private def zipf(keys: Int): Array[Double] = {
    val weights = (1 to keys).map(1.0 / _)
    weights.map(_ / weights.sum).toArray
  }

  /** The sides change places at `change`. */
  protected def frequencies(keys: Int, windows: Int, change: Int, seed: Int): Trace = {
    val random = new SplittableRandom(seed.toLong)
    val draw = new Noises.Draw(zipf(keys))
    val ticks = windows * window
    def side(common: Int): TraceSide = TraceSide.ofSteps(Array.tabulate(ticks) { t =>
      val value = draw.next(random)
      (if ((common == 0) == (t < change)) value else keys - 1 - value).toLong
    })
    Trace(side(0), side(1), isStepwise = true)
  }

  protected def rates(keys: Int, isSwapped: Boolean): Map[String, String] = {
    val rare = zipf(keys).reverse.mkString(" ")
    val common = zipf(keys).mkString(" ")
    Map("left_rates" -> (if (isSwapped) common else rare), "right_rates" -> (if (isSwapped) rare else common))
  }

  protected val bothWays = Within(window.toLong, window.toLong)

  protected val alpha = 1000L

  /** What a partner a tick is worth to a row by the life it has left, by policy. */
  private val worths: Map[String, Long => Double] = {
    val discounted = Array.tabulate(window + 1)(life => -math.expm1(-life.toDouble / alpha))
    Map("prob" -> (_ => 1.0), "heeb" -> (life => discounted(life.toInt)))
  }

  /** Of so many values those that there is just room for come less than once in a window. */
  private val many = 2000

  private def counts(policy: String, keys: Int, from: Int): Option[ReferencePolicy] =
    Option.when(keys >= many)(new ExactCounts(keys, from.toLong, worths(policy)))

  /** Of 20,000 values few meet, so that more runs are needed. */
  private def seeds(keys: Int): Int = if (keys > many) 3 else 2

  for {
    keys <- valueCounts
    (policy, settings) <- Seq("prob" -> Map.empty[String, String], "heeb" -> Map("alpha" -> s"$alpha"))
  } {
    test(s"$policy of $keys values learns how often they come") {
      val told = rates(keys, isSwapped = false) ++ settings
      check(policy, told, settings, counts(policy, keys, 0), seeds(keys)) { seed =>
        val trace = frequencies(keys, 5, Int.MaxValue, seed)
        Stretch(trace, bothWays, 1000, 3L * window)
      }
    }
    test(s"$policy of $keys values follows a change of how often they come") {
      val change = 3 * window
      val told = rates(keys, isSwapped = true) ++ settings
      check(policy, told, settings, counts(policy, keys, change), seeds(keys)) { seed =>
        Stretch(frequencies(keys, 7, change, seed), bothWays, 1000, 5L * window)
      }
    }
  }

}

/** Of 20,000 values, which takes minutes. */
class LearnedSoak extends LearnedPolicies(Seq(20000))

class LearnedSuite extends LearnedPolicies(Seq(50, 200, 2000)) {

  for ((policy, settings) <- Seq("prob" -> Map.empty[String, String], "heeb" -> Map("alpha" -> s"$alpha")))
    test(s"$policy of 2000 values learns how often they come, where it has the time and remembers that long") {
      check(policy, rates(2000, isSwapped = false) ++ settings, settings + ("half_life" -> s"${32 * window}")) { seed =>
        Stretch(frequencies(2000, 80, Int.MaxValue, seed), bothWays, 1000, 60L * window)
      }
    }

  // AR(1): a row a side and tick, around a level.

  private def regressing(
      from: Seq[AutoRegression],
      to: Seq[AutoRegression],
      windows: Int,
      change: Int,
      seed: Int
  ): Trace = {
    val random = new SplittableRandom(seed.toLong)
    val sides = from.zip(to).map { case (before, after) =>
      val ticks = windows * window
      val early = Traces.drawn(before, math.min(change, ticks), random)
      TraceSide.ofSteps(early ++ Traces.drawn(after, ticks - early.length, random))
    }
    Trace(sides(0), sides(1), isStepwise = true)
  }

  private val unknown = Map("model" -> "ar1", "alpha" -> s"$alpha")

  private def known(models: Seq[AutoRegression]): Map[String, String] =
    unknown ++ Seq("left", "right").zip(models).flatMap { case (side, of) =>
      Seq(s"${side}_phi" -> of.phi, s"${side}_constant" -> of.constant, s"${side}_deviation" -> of.deviation)
        .map { case (name, value) => name -> value.toString }
    }

  private val regressions = Seq(
    "narrow and wide" -> Seq(AutoRegression(.8, 20, 60), AutoRegression(.5, 100, 150)),
    "slow" -> Seq(AutoRegression(.95, 10, 30), AutoRegression(.9, 30, 60)),
    "to and fro" -> Seq(AutoRegression(-.7, 200, 80), AutoRegression(.3, 50, 120))
  )

  regressions.foreach { case (name, models) =>
    test(s"heeb learns AR(1) streams: $name") {
      check("heeb", known(models), unknown, seeds = 8) { seed =>
        Stretch(regressing(models, models, 5, Int.MaxValue, seed), bothWays, 1000, 2L * window)
      }
    }
  }

  for (((from, before), (to, after)) <- regressions.zip(regressions.tail :+ regressions.head))
    test(s"heeb follows a change of AR(1) streams: from $from to $to") {
      check("heeb", known(after), unknown) { seed =>
        Stretch(regressing(before, after, 7, 3 * window, seed), bothWays, 1000, 5L * window)
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

  /** Without a ledger, and with one of 8 KiB, which is the least. */
  private val ledgers = Seq("" -> None, " of a ledger" -> Some(8192L))

  for ((name, before) <- AgeCurves.expected; share <- Seq(.3, .5); (source, ledger) <- ledgers)
    test(s"age learns the curve $name$source, with $share of the memory") {
      check("age", curve(name), Map.empty, ledger = ledger) { seed =>
        val trace = ages(before, before, 8, Int.MaxValue, seed)
        Stretch(trace, Within(0, window.toLong), (share * window).toInt, 4L * window)
      }
    }

  /** A left row a tick, and its partner `lag` ticks later, give or take a few. */
  private def lagging(lag: Int, windows: Int, seed: Int): Trace = {
    val random = new SplittableRandom(seed.toLong)
    val ticks = windows * window
    val values = Array.tabulate(ticks)(t => (t - lag + random.nextInt(41) - 20).toLong)
    Trace(TraceSide.ofSteps(Array.tabulate(ticks)(_.toLong)), TraceSide.ofSteps(values), isStepwise = true)
  }

  /** All matches at one age. Rows come to stay in bursts, as long as there is room, and go together when that age is over; so
    * many bursts are counted that it does not matter at which points of them the count begins and ends.
    */
  private def peaked(lag: Int, rows: Int, seed: Int): Stretch =
    Stretch(lagging(lag, 40, seed), Within(0, window.toLong), rows, 4L * window)

  private val parts = 20

  private def peak(lag: Int, partsOff: Int = 0): Map[String, String] = {
    val at = lag * parts / window + partsOff
    Map(
      "left_window" -> s"$window",
      "left_curve" -> Array.tabulate(parts)(i => if (i == at) "1" else "0").mkString(" ")
    )
  }

  for (
    (lag, rows) <- Seq(1500 -> 1000, 1500 -> 1300, 2600 -> 1000, 2600 -> 1300, 3000 -> 1000);
    (source, ledger) <- ledgers
  )
    test(s"of streams that are $lag ticks apart age learns the peak$source with room for $rows rows") {
      check("age", peak(lag), Map.empty, seeds = 5, ledger = ledger)(peaked(lag, rows, _))
    }

  /** Rows that are spared to learn from take more of what there is here, as they stay for long after their age; who takes the
    * age for a part of the window less finds nothing.
    */
  for ((lag, rows) <- Seq(250 -> 125, 1000 -> 500); (source, ledger) <- ledgers)
    test(s"of streams that are $lag ticks apart age finds the peak$source with room for $rows rows only") {
      val stretches = (1 to 5).map(peaked(lag, rows, _))
      val told = stretches.map(_.outputs("age", peak(lag))).sum
      val early = stretches.map(_.outputs("age", peak(lag, -1))).sum
      val learned = stretches.map(_.outputs("age", ledger = ledger)).sum
      info(f"learned ${learned / told}%.4f of told, a part too early ${early / told}%.4f")
      assert(learned >= .95 * told && early <= .1 * told)
    }

  for ((from, to) <- Seq("DEC" -> "INC", "INC" -> "BELL", "BELL" -> "DEC"); (source, ledger) <- ledgers)
    test(s"age follows a change of the curve$source from $from to $to") {
      check("age", curve(to), Map.empty, ledger = ledger) { seed =>
        val trace = ages(AgeCurves.expected(from), AgeCurves.expected(to), 8, 4 * window, seed)
        Stretch(trace, Within(0, window.toLong), window / 2, 6L * window)
      }
    }
}
