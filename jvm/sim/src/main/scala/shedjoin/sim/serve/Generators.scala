package shedjoin.sim.serve

import java.util.{Map => JMap}

import scala.jdk.CollectionConverters._

import shedjoin.core.model.AgeCurves
import shedjoin.sim.Trace
import shedjoin.sim.generate.{Drifting, Windowed}

/** A made-up trace, and the settings with which policies know how it was made: by policy. */
final class Generated(val trace: Trace, models: Map[String, Map[String, String]]) {
  def modelled: java.util.Set[String] = models.keySet.asJava
  def model(policy: String): JMap[String, String] = models(policy).asJava
}

/** The streams of the papers, for Python. */
object Generators {
  def tower(seed: Long): Generated = of(Drifting.tower(seed))
  def roof(seed: Long): Generated = of(Drifting.roof(seed))
  def floor(seed: Long): Generated = of(Drifting.floor(seed))
  def walk(seed: Long, cacheRows: Int): Generated = of(Drifting.walk(seed, cacheRows))

  private def of(stream: Drifting): Generated = new Generated(stream.trace, Map("heeb" -> stream.heeb))

  /** Left rows whose partners come by their age, by INC, DEC or BELL. */
  def ages(curve: String, units: Int, seed: Long): Generated = {
    val parts = AgeCurves.expected(curve)
    val model = Map("left_curve" -> parts.mkString(" "), "left_window" -> Windowed.window.after.toString)
    new Generated(Windowed.byAge(parts, units, seed), Map("age" -> model))
  }

  /** Values by Zipf's law, on the right as common as on the left, or as rare. */
  def zipf(skew: Double, isInverse: Boolean, units: Int, seed: Long): Generated = {
    val rank: Int => Int = if (isInverse) Windowed.inverse else Windowed.correlated
    val left = Windowed.frequencies(skew)
    val rates = Map("left_rates" -> left.indices.map(v => left(rank(v))).mkString(" "))
    new Generated(
      Windowed.zipf(skew, rank, units, seed),
      Map("prob" -> rates, "life" -> rates)
    )
  }
}
