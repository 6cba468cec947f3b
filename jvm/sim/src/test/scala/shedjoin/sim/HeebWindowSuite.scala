package shedjoin.sim

import java.util.SplittableRandom

import scala.collection.mutable

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.join.Side
import shedjoin.core.model.{AutoRegression, Distribution}
import shedjoin.sim.generate.Noises

/** HEEB with a window, whose H goes on beyond a row's last tick (docs/decisions/0012), against one whose H ends there: the
  * partners of each step to come, each counted only as long as the row can meet it, summed up for every stored row.
  */
class HeebWindowSuite extends AnyFunSuite {
  import HeebWindowSuite._

  private val steps = 3000
  private val warmup = 300
  private val seeds = 1 to 2

  private def both(settings: (String, Any)*): Map[String, String] =
    settings.flatMap { case (name, value) => Seq("left", "right").map(side => s"${side}_$name" -> s"$value") }.toMap

  private def regression(phi: Double, deviation: Double): Model = {
    val model = AutoRegression(phi, 0, deviation)
    Model(
      Map("model" -> "ar1") ++ both("phi" -> phi, "constant" -> 0, "deviation" -> deviation),
      (random, x, _) => phi * x + deviation * random.nextGaussian(),
      (value, latest, d, _) => model.chance(value.toDouble, latest.toDouble, d)
    )
  }

  /** It turns back where it is far away, lest two of them part for good; the policies do not know. */
  private def walk(deviation: Double): Model = {
    val step = Noises.normal(deviation, 6)
    val draw = new Noises.Draw(step.probabilities)
    val reached = mutable.ArrayBuffer(Distribution(0, Array(1.0)))
    def at(d: Int): Distribution = {
      while (reached.size <= d) reached += sum(reached.last, step)
      reached(d)
    }
    Model(
      Map("model" -> "walk") ++ both("step" -> step.probabilities.mkString(" ")),
      (random, x, _) => {
        val next = x + step.first + draw.next(random)
        if (math.abs(next) > 30) x else next
      },
      (value, latest, d, _) => at(d)((value - latest).toInt)
    )
  }

  private def sum(a: Distribution, b: Distribution): Distribution = {
    val sums = new Array[Double](a.probabilities.length + b.probabilities.length - 1)
    for (i <- a.probabilities.indices; j <- b.probabilities.indices)
      sums(i + j) += a.probabilities(i) * b.probabilities(j)
    Distribution(a.first + b.first, sums.map(math.min(_, 1.0)))
  }

  private def trend(deviation: Double): Model = {
    val noise = Noises.normal(deviation, (4 * deviation).toInt)
    val draw = new Noises.Draw(noise.probabilities)
    Model(
      Map("model" -> "trend") ++ both("slope" -> 1, "noise" -> noise.probabilities.mkString(" ")),
      (random, _, step) => (step + noise.first + draw.next(random)).toDouble,
      (value, _, d, step) => noise((value - step - d).toInt)
    )
  }

  private def drawn(model: Model, random: SplittableRandom): Array[Long] = {
    var x = 0.0
    Array.tabulate(steps) { step =>
      x = model.after(random, x, step)
      math.round(x)
    }
  }

  /** Hits where each victim is found by a look at all rows, by H up to the end of each row's life. */
  private def scanned(trace: Trace, of: Case): Long = {
    val worths = mutable.HashMap.empty[(Long, Long), Array[Double]]
    val most = of.lives.max.toInt
    def worth(value: Long, latest: Long, step: Int, life: Int): Double = {
      val key = if (of.model.settings("model") == "trend") (value - step, 0L) else (value, latest)
      worths.getOrElseUpdate(
        key,
        (1 to most)
          .map(d => of.model.chance(value, latest, d, step) * math.exp(-d / of.alpha))
          .scanLeft(0.0)(_ + _)
          .toArray
      )(life)
    }
    var stored = Seq.empty[(Int, Long, Int)]
    var hits = 0L
    (0 until steps).foreach { step =>
      val latest = Seq(Side.Left, Side.Right).map(trace.side(_).values(step))
      if (step >= warmup) hits += stored.count { case (side, value, _) => latest(Side.other(side)) == value }
      val came = latest.zipWithIndex.map { case (value, side) => (side, value, step + of.lives(side).toInt) }
      stored = (stored ++ came).filter(_._3 > step)
      while (stored.size > of.memory) {
        val victim = stored.minBy { case (side, value, last) =>
          (worth(value, latest(Side.other(side)), step, last - step), last)
        }
        stored = stored.diff(Seq(victim))
      }
    }
    hits
  }

  private val cases = Seq(
    Case("walk", walk(1.5), Seq(50, 50), 20, 20),
    Case("walk", walk(1.5), Seq(20, 100), 30, 30),
    Case("walk", walk(3), Seq(30, 30), 20, 1000),
    Case("AR(1)", regression(.9, 2), Seq(50, 50), 20, 20),
    Case("AR(1)", regression(.9, 2), Seq(20, 100), 30, 30),
    Case("AR(1)", regression(.5, 5), Seq(40, 40), 40, 40),
    Case("AR(1)", regression(.9, 2), Seq(30, 30), 20, 1000),
    Case("trend", trend(8), Seq(10, 10), 12, 10),
    Case("trend", trend(8), Seq(15, 30), 15, 15)
  )

  test(
    "H beyond the end of a window loses at most 1 % of the results that H up to there finds, in the mean of many settings"
  ) {
    val ratios = cases.map { of =>
      val found = seeds.map { seed =>
        val random = new SplittableRandom(seed.toLong)
        val trace = Trace.ofSteps(drawn(of.model, random), drawn(of.model, random))
        val within = Within(before = of.lives(Side.Right), after = of.lives(Side.Left))
        val settings = of.model.settings + ("alpha" -> s"${of.alpha}")
        val run = Simulated(
          trace,
          SimSettings("heeb", settings, Memory.Shared(of.memory), within, warmup = warmup.toLong)
        )
        (run.outputs.toDouble, scanned(trace, of).toDouble)
      }
      val ratio = found.map(_._1).sum / found.map(_._2).sum
      info(f"$ratio%.3f: $of")
      ratio
    }
    assert(ratios.sum / ratios.size > .99 && ratios.min > .95, ratios)
  }
}

private object HeebWindowSuite {

  /** A model of one stream.
    *
    * @param after the next value
    * @param chance of a value so many steps after the latest one, which came at this step
    */
  final case class Model(
      settings: Map[String, String],
      after: (SplittableRandom, Double, Int) => Double,
      chance: (Long, Long, Int, Int) => Double
  )

  /** Both streams alike; rows of either side are met for so many steps. */
  final case class Case(name: String, model: Model, lives: Seq[Long], memory: Int, alpha: Double) {
    override def toString: String = s"$name, rows live ${lives.mkString(" and ")} steps, $memory stored, alpha $alpha"
  }
}
