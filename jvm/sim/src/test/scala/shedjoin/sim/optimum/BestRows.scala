package shedjoin.sim.optimum

import scala.collection.mutable

import shedjoin.core.join.Side
import shedjoin.sim._

/** The most results that a choice of rows can bring, by trying them all; for small traces. */
object BestRows {

  /** A row, and the step at which it comes. */
  final private case class Row(side: Int, place: Int, step: Int)

  def apply(trace: Trace, settings: SimSettings): Int = {
    val rows = inOrder(trace)
    val pairs = NaiveJoin(trace, settings)
    def meet(a: Row, b: Row): Boolean =
      a.side != b.side && pairs(if (a.side == Side.Left) (a.place, b.place) else (b.place, a.place))
    val byStep = rows.groupBy(_.step)
    val known = mutable.Map.empty[(Int, Set[Row]), Int]

    def best(step: Int, stored: Set[Row]): Int = byStep.get(step).fold(0) { coming =>
      known.getOrElseUpdate(
        (step, stored), {
          val found = coming.map(row => stored.count(meet(_, row))).sum
          found + choices(stored ++ coming, settings.memory).map(best(step + 1, _)).max
        }
      )
    }
    best(0, Set.empty)
  }

  private def inOrder(trace: Trace): Seq[Row] = {
    val all =
      for (side <- Seq(Side.Left, Side.Right); place <- 0 until trace.side(side).size)
        yield (trace.side(side).times(place), side, place)
    if (trace.isStepwise) {
      val times = all.map(_._1).distinct.sorted
      all.map { case (time, side, place) => Row(side, place, times.indexOf(time)) }
    } else all.sorted.zipWithIndex.map { case ((_, side, place), step) => Row(side, place, step) }
  }

  /** To store more is never worse. */
  private def choices(rows: Set[Row], memory: Memory): Iterator[Set[Row]] = memory match {
    case Memory.Shared(room) => rows.subsets(math.min(room, rows.size))
    case Memory.Apart(left, right) =>
      val (lefts, rights) = rows.partition(_.side == Side.Left)
      for {
        a <- lefts.subsets(math.min(left, lefts.size))
        b <- rights.subsets(math.min(right, rights.size))
      } yield a ++ b
  }
}
