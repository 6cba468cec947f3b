package shedjoin.sim

import scala.collection.mutable

import shedjoin.core.join.Side

/** Every pair of a trace, looked at. */
object NaiveJoin {

  def apply(trace: Trace, settings: SimSettings): Set[(Int, Int)] = {
    val (left, right) = (trace.left, trace.right)
    val first = (left.times ++ right.times).minOption.getOrElse(0L)
    (for {
      l <- 0 until left.size
      r <- 0 until right.size
      if left.values(l) == right.values(r)
      (early, late) = (math.min(left.times(l), right.times(r)), math.max(left.times(l), right.times(r)))
      if right.times(r) - left.times(l) <= settings.within.after
      if left.times(l) - right.times(r) <= settings.within.before
      if late <= (if (left.times(l) <= right.times(r)) left.lastTicks(l) else right.lastTicks(r))
      if early < late || !trace.isStepwise
      laterSide = if (left.times(l) > right.times(r)) Side.Left else Side.Right
      if settings.count.side(laterSide) && late - first >= settings.warmup
    } yield (l, r)).toSet
  }

  /** Runs a trace, and collects what it finds; nothing may be found twice. */
  def found(trace: Trace, settings: SimSettings)(each: Simulation => Unit): (Set[(Int, Int)], SimResult) = {
    val pairs = mutable.Set.empty[(Int, Int)]
    val simulation = new Simulation(
      trace,
      settings,
      (left, right) => assert(pairs.add((left, right)), s"$left and $right met twice")
    )
    while (simulation.step()) each(simulation)
    (pairs.toSet, simulation.run())
  }
}
