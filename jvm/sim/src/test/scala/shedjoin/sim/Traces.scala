package shedjoin.sim

import java.util.SplittableRandom

import scala.util.Random

import shedjoin.core.model.AutoRegression
import shedjoin.sim.generate.Windowed

/** Random small traces. */
object Traces {

  def any(random: Random): Trace = {
    val rows = random.nextInt(60)
    val values = 1 + random.nextInt(6)
    if (random.nextInt(3) == 0) Trace.ofSteps(column(rows, values, random), column(rows, values, random))
    else Trace(side(rows, values, random), side(rows, values, random), isStepwise = random.nextBoolean())
  }

  private def side(rows: Int, values: Int, random: Random): TraceSide = {
    val times = Array.fill(rows)(random.nextInt(50).toLong)
    TraceSide(
      times,
      column(rows, values, random),
      Array.fill(rows)(1.0 + random.nextInt(5)),
      times.map(t => if (random.nextInt(4) == 0) t + random.nextInt(9) else Long.MaxValue)
    )
  }

  private def column(rows: Int, values: Int, random: Random): Array[Long] =
    Array.fill(rows)(random.nextInt(values).toLong)

  /** How many left rows the window of [[Windowed]] holds. */
  val windowContent: Double = Windowed.rate * 500

  /** The rounded values of an AR(1) stream that begins at its level. */
  def drawn(model: AutoRegression, steps: Int, random: SplittableRandom): Array[Long] = {
    var x = model.level
    Array.fill(steps) {
      x = model.constant + model.phi * x + model.deviation * random.nextGaussian()
      math.round(x)
    }
  }

  /** The same rows, told in another order. */
  def shuffled(side: TraceSide, random: Random): TraceSide = {
    val order = random.shuffle(side.times.indices.toList).toArray
    TraceSide(
      order.map(side.times(_)),
      order.map(side.values(_)),
      order.map(side.importances(_)),
      order.map(side.lastTicks(_))
    )
  }

  def settings(policy: (String, Map[String, String]), random: Random): SimSettings = SimSettings(
    policy._1,
    policy._2,
    memory =
      if (random.nextBoolean()) Memory.Shared(random.nextInt(12))
      else Memory.Apart(random.nextInt(6), random.nextInt(6)),
    within =
      if (random.nextInt(3) == 0 && !needsWindow(policy)) Within.Ever
      else Within(random.nextInt(20).toLong, random.nextInt(20).toLong),
    order = if (random.nextInt(3) == 0) StepOrder.EvictFirst else StepOrder.ProbeFirst,
    count = Seq(Counted.Both, Counted.Left, Counted.Right)(random.nextInt(3)),
    warmup = random.nextInt(10).toLong,
    seed = random.nextLong()
  )

  /** Whether a policy is refused where rows can match for ever. */
  private def needsWindow(policy: (String, Map[String, String])): Boolean =
    policy._2.get("horizon").exists(Set("inf", "inv").contains)

  /** How many results there are to be found. */
  def exactOutputs(trace: Trace, settings: SimSettings): Long = {
    val join = new ExactJoin(trace, settings)
    while (join.step()) ()
    join.outputs
  }
}
