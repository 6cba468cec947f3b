package shedjoin.sim.serve

import java.util.{List => JList, Map => JMap}

import scala.jdk.CollectionConverters._

import shedjoin.core.model.AgeCurves
import shedjoin.sim.Trace
import shedjoin.sim.generate.{Categories, Drifting, Noises, Wan, Windowed}

/** A made-up trace, and the settings with which policies know how it was made: by policy. */
final class Generated(val trace: Trace, models: Map[String, Map[String, String]]) {
  def modelled: java.util.Set[String] = models.keySet.asJava
  def model(policy: String): JMap[String, String] = models(policy).asJava
}

/** The streams of the papers, for Python. */
object Generators {
  def tower(seed: Long, steps: Int): Generated = of(Drifting.tower(seed, steps))
  def roof(seed: Long, steps: Int): Generated = of(Drifting.roof(seed, steps))
  def floor(seed: Long, steps: Int): Generated = of(Drifting.floor(seed, steps))
  def walk(seed: Long, cacheRows: Int, steps: Int): Generated = of(Drifting.walk(seed, cacheRows, steps))

  /** As `tower`, with normal noises of these deviations, cut at a bound of `bound`, the left stream `lag` steps behind. */
  def trend(leftDeviation: Double, rightDeviation: Double, bound: Int, lag: Int, seed: Long, steps: Int): Generated =
    of(Drifting.trend(Noises.normal(leftDeviation, bound), Noises.normal(rightDeviation, bound), seed, lag, steps))

  private def of(stream: Drifting): Generated = new Generated(stream.trace, Map("heeb" -> stream.heeb))

  /** Left rows whose partners come by their age, by INC, DEC or BELL. */
  def ages(curve: String, units: Int, seed: Long): Generated = byAge(AgeCurves.expected(curve), units, seed)

  /** The same by any curve: how many partners come in each of equal parts of the window. */
  def ages(curve: JList[Double], units: Int, seed: Long): Generated = byAge(curve.asScala.toArray, units, seed)

  private def byAge(parts: Array[Double], units: Int, seed: Long): Generated =
    new Generated(Windowed.byAge(parts, units, seed), Map("age" -> ageModel(parts, Windowed.window.after)))

  private def ageModel(parts: Array[Double], window: Long): Map[String, String] =
    Map("left_curve" -> parts.mkString(" "), "left_window" -> window.toString)

  /** Values by Zipf's law, on the right as common as on the left (DC), as rare (IC), or either (UC). */
  def zipf(skew: Double, correlation: String, units: Int, seed: Long): Generated = {
    val rank: Int => Int = correlation match {
      case "DC" => Windowed.correlated
      case "IC" => Windowed.inverse
      case "UC" => Windowed.uncorrelated(seed)
    }
    val left = Windowed.frequencies(skew)
    val rates = Map("left_rates" -> left.indices.map(v => left(rank(v))).mkString(" "))
    new Generated(
      Windowed.zipf(skew, rank, units, seed),
      Map("prob" -> rates, "life" -> rates)
    )
  }

  /** The WAN experiment; `age` knows the curve. */
  def wan(seed: Long, seconds: Int): Generated = {
    val made = Wan(seed, seconds)
    new Generated(made.trace, Map("age" -> ageModel(made.curve, Wan.window.after)))
  }

  /** Streams of categories with importances, `uniform`, `zipf`, `drift` or `bursts`. */
  def categories(kind: String, domain: Int, isWeighted: Boolean, round: Int, steps: Int, seed: Long): Generated = {
    val made = Categories(domain, isWeighted, round, steps, seed)
    val trace = kind match {
      case "uniform" => made.uniform
      case "zipf" => made.zipf
      case "drift" => made.drift
      case "bursts" => made.bursts
    }
    new Generated(trace, Map.empty)
  }
}
