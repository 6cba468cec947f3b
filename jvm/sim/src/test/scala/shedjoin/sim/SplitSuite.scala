package shedjoin.sim

import java.util.SplittableRandom

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.join.Side
import shedjoin.sim.generate.{Noises, Windowed}

/** The split of memory that comes of ranking both sides in one unit, against the one that paper 1 computes: the one of the
  * most results by equations 2 and 3 (section 3.2.2), or by the rates of section 3.3.
  */
class SplitSuite extends AnyFunSuite {
  import SplitSuite.SideRate

  private val seeds = 1 to 3
  private val shares = Seq(.2, .5, .8)

  /** The best split: the share of left rows, from and to where there are several, and the most found a tick. */
  private def best(left: SideRate, right: SideRate, rows: Int): (Double, Double, Double) = {
    val splits = (0 to rows).filter(n => n <= left.content + 1 && rows - n <= right.content + 1)
    val found = splits.map(n => n -> (left.found(n.toDouble) + right.found((rows - n).toDouble)))
    val most = found.map(_._2).max
    val all = found.filter(_._2 >= most * (1 - 1e-9)).map(_._1.toDouble / rows)
    (all.min, all.max, most)
  }

  /** Equation 3, with C a line in each part of the window. */
  private def byAge(rate: Double, window: Long, expected: Seq[Double]): SideRate = {
    val width = window.toDouble / expected.size
    def met(age: Double): Double =
      expected.zipWithIndex.map { case (n, i) => n * math.min(math.max(age / width - i, 0), 1) }.sum
    val best = (1 to expected.size).map(_ * width).maxBy(age => met(age) / age)
    SideRate(
      rows => if (rows / rate <= best) rows * met(best) / best else rate * met(rows / rate),
      rate * window
    )
  }

  /** Section 3.3, with the part of the next value that there is room for: how many rows of each value the window holds, and how
    * many partners come for it a tick.
    */
  private def byFrequency(stored: Seq[Double], partners: Seq[Double]): SideRate = {
    val order = stored.indices.sortBy(v => -partners(v))
    def found(rows: Double): Double =
      order
        .foldLeft((rows, 0.0)) { case ((room, sum), v) =>
          (math.max(0, room - stored(v)), sum + partners(v) * math.min(stored(v), room))
        }
        ._2
    SideRate(found, stored.sum)
  }

  private def check(name: String, left: SideRate, right: SideRate, within: Within)(
      trace: Long => Trace,
      policy: (String, Map[String, String])
  ): Unit = test(s"the split of memory is the best one: $name") {
    val all = left.found(left.content) + right.found(right.content)
    shares.foreach { share =>
      val rows = math.round(share * (left.content + right.content)).toInt
      val (least, most, found) = best(left, right, rows)
      val warmup = 3 * math.max(within.before, within.after)
      val runs = seeds.map { seed =>
        val of = trace(seed.toLong)
        val settings = SimSettings(policy._1, policy._2, Memory.Shared(rows), within, warmup = warmup)
        val result = Simulated(of, settings)
        (result.shareLeft, result.outputs.toDouble / Traces.exactOutputs(of, settings))
      }
      val shareLeft = Means(runs.map(_._1)).mean
      val recall = Means(runs.map(_._2))
      info(
        f"$share%.1f of all rows: left ones $shareLeft%.3f, best $least%.3f to $most%.3f; " +
          f"recall $recall, at best ${found / all}%.3f"
      )
      assert(shareLeft > least - .025 && shareLeft < most + .025, s"$name, $share")
      assert(math.abs(recall.mean - found / all) < .01 + 3 * recall.error, s"$name, $share")
    }
  }

  private val parts = 20
  private val curves: Map[String, Seq[Double]] = Map(
    "INC" -> (1 to parts).map(k => k.toDouble * k),
    "DEC" -> (1 to parts).map(k => math.pow(parts + 1.0 - k, 2)),
    "BELL" -> (1 to parts).map(k => math.pow(if (k <= parts / 2) k else parts + 1.0 - k, 2)),
    "EVEN" -> Seq.fill(parts)(1.0)
  )

  for {
    (left, right, rates, windows) <- Seq(
      ("DEC", "DEC", Seq(1.0, 1.0), Seq(300L, 600L)),
      ("DEC", "BELL", Seq(.1, .3), Seq(2000L, 1000L)),
      ("INC", "DEC", Seq(.2, .2), Seq(1000L, 1000L)),
      ("INC", "INC", Seq(.3, .2), Seq(1000L, 1500L)),
      ("BELL", "BELL", Seq(.4, .1), Seq(1000L, 1600L)),
      ("EVEN", "BELL", Seq(.2, .25), Seq(1200L, 1000L))
    )
  } {
    val streams = BothWays(rates, windows, Seq(curves(left), curves(right)))
    val sides = Seq(0, 1).map(side => byAge(rates(side), windows(side), streams.expected(side)))
    val told = Seq("left" -> 0, "right" -> 1).flatMap { case (name, side) =>
      Seq(s"${name}_curve" -> streams.expected(side).mkString(" "), s"${name}_window" -> s"${windows(side)}")
    }
    check(s"AGE, $left and $right at rates ${rates.mkString(", ")}", sides(0), sides(1), streams.within)(
      streams.trace(12 * windows.max, _),
      "age" -> told.toMap
    )
  }

  private def zipfTrace(frequencies: Seq[Array[Double]], rates: Seq[Double], ticks: Long, seed: Long): Trace = {
    val random = new SplittableRandom(seed)
    val sides = Seq(Side.Left, Side.Right).map { side =>
      val draw = new Noises.Draw(frequencies(side))
      val times = Array.tabulate((ticks * rates(side)).toInt)(i => (i / rates(side)).toLong)
      TraceSide(times, times.map(_ => draw.next(random).toLong))
    }
    Trace(sides(0), sides(1), isStepwise = false)
  }

  for {
    (skews, rates, windows) <- Seq(
      (Seq(1.0, .5), Seq(1.0, 1.0), Seq(1000L, 1500L)),
      (Seq(.7, 1.3), Seq(.5, 2.0), Seq(1500L, 800L)),
      (Seq(2.0, 1.0), Seq(1.5, .75), Seq(1000L, 1000L))
    )
  } {
    val ranks = Windowed.uncorrelated(7)
    val left = Windowed.frequencies(skews(0))
    val common = Windowed.frequencies(skews(1))
    val right = Array.tabulate(Windowed.domain)(v => common(ranks(v)))
    val frequencies = Seq(left, right)
    // What comes for a row of a side, a tick.
    val partners = Seq(0, 1).map(side => frequencies(1 - side).toSeq.map(_ * rates(1 - side)))
    val sides =
      Seq(0, 1).map(side => byFrequency(frequencies(side).toSeq.map(_ * rates(side) * windows(side)), partners(side)))
    check(
      s"PROB, skews ${skews.mkString(", ")} at rates ${rates.mkString(", ")}",
      sides(0),
      sides(1),
      Within(before = windows(1), after = windows(0))
    )(
      zipfTrace(frequencies, rates, 10000, _),
      "prob" -> Map("left_rates" -> partners(0).mkString(" "), "right_rates" -> partners(1).mkString(" "))
    )
  }
}

private object SplitSuite {

  /** What a side finds a tick with so many rows, and with how many it finds all. */
  final case class SideRate(found: Double => Double, content: Double)
}
