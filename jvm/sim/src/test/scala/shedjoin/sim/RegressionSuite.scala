package shedjoin.sim

import java.util.SplittableRandom

import scala.collection.mutable

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.join.Side
import shedjoin.core.model.{AutoRegression, Horizon}

/** HEEB on AR(1) streams (paper 3, section 6.1 and 7.5): its curves, made beforehand, against H of every stored row. */
class RegressionSuite extends AnyFunSuite {
  private val steps = 1500
  private val warmup = 500

  /** Hits where each victim is found by scanning all rows for the least H. */
  private def scanned(trace: Trace, models: Map[Int, AutoRegression], horizon: Horizon, memory: Int): Long = {
    val known = mutable.HashMap.empty[(Int, Long, Long), Double]
    val stored = mutable.ArrayBuffer.empty[(Int, Long)]
    var hits = 0L
    (0 until steps).foreach { step =>
      val latest = Map(Side.Left -> trace.left.values(step), Side.Right -> trace.right.values(step))
      def h(row: (Int, Long)): Double = {
        val other = Side.other(row._1)
        known.getOrElseUpdate(
          (row._1, row._2, latest(other)),
          models(other).benefit(row._2.toDouble, latest(other).toDouble, horizon)
        )
      }
      if (step >= warmup) hits += stored.count { case (side, value) => latest(Side.other(side)) == value }
      stored ++= latest
      while (stored.size > memory) stored -= stored.minBy(h)
    }
    hits
  }

  private val cases = Seq(
    (AutoRegression(.72, 5.59, 8), AutoRegression(.72, 5.59, 8), 60, 60.0),
    (AutoRegression(.95, 1, 3), AutoRegression(.9, 3, 4), 30, 15.0),
    (AutoRegression(.3, 10, 12), AutoRegression(-.6, 20, 9), 40, 20.0)
  )

  cases.foreach { case (left, right, memory, alpha) =>
    test(s"$left and $right: at most 1 % less than by scanning") {
      val models = Map(Side.Left -> left, Side.Right -> right)
      val ratios = Means.over(1 to 3) { seed =>
        val random = new SplittableRandom(seed.toLong)
        val trace = Trace.ofSteps(Traces.drawn(left, steps, random), Traces.drawn(right, steps, random))
        val settings = Map("model" -> "ar1", "alpha" -> s"$alpha") ++ models
          .flatMap { case (side, model) =>
            val name = Side.name(side)
            Map(
              s"${name}_phi" -> model.phi,
              s"${name}_constant" -> model.constant,
              s"${name}_deviation" -> model.deviation
            )
          }
          .map { case (key, value) => key -> value.toString }
        def hits(policy: String, told: Map[String, String]): Double =
          Simulated(trace, SimSettings(policy, told, Memory.Shared(memory), warmup = warmup.toLong)).outputs.toDouble
        val curves = hits("heeb", settings)
        assert(curves > hits("random", Map.empty), s"seed $seed")
        curves / scanned(trace, models, Horizon.Decay(alpha), memory)
      }
      info(ratios.toString)
      assert(ratios.mean >= .99)
    }
  }
}
