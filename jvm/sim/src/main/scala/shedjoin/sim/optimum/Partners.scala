package shedjoin.sim.optimum

import java.util.Arrays

import shedjoin.core.join.Side
import shedjoin.sim._

/** Which partners each row of a trace meets if all rows are stored: at which steps, and how many at each.
  *
  * Rows are numbered, the left ones first; steps count from 0. The partners of a row are those from `starts(row)` up to
  * `starts(row + 1)`, in the order of their steps. O(rows + results), in time and space.
  */
final private[optimum] class Partners private (
    val steps: Int,
    val arrivals: Array[Int],
    val starts: Array[Int],
    val at: Array[Int],
    val counts: Array[Int]
)

private[optimum] object Partners {
  private val MostResults = 1L << 28

  /** The results that count by `settings`; throws where there are too many of them. */
  def of(trace: Trace, settings: SimSettings): Partners = {
    refuseTooMany(trace, settings)
    val (steps, arrivals) = arrivalSteps(trace)
    val found = new Found(arrivals.length)
    val all = settings.copy(
      "oldest_first",
      Map.empty,
      Memory.Shared(Int.MaxValue),
      order = StepOrder.ProbeFirst,
      ledgerBytes = None
    )
    val sink: RunSink = (left, place) => {
      val right = trace.left.size + place
      // A row is stored from its step on, and meets those of later steps.
      if (arrivals(left) < arrivals(right)) found.add(left, arrivals(right)) else found.add(right, arrivals(left))
    }
    new Simulation(trace, all, sink).run()
    found.byRow(steps, arrivals)
  }

  private def refuseTooMany(trace: Trace, settings: SimSettings): Unit = {
    val exact = new ExactJoin(trace, settings)
    while (exact.step()) ()
    if (exact.outputs > MostResults)
      throw new IllegalArgumentException(
        s"[SHEDJOIN_SIM_TOO_LARGE] The trace has ${exact.outputs} results; the optimum is found for at most $MostResults. " +
          "Take a part of the trace, or a smaller window."
      )
  }

  private def arrivalSteps(trace: Trace): (Int, Array[Int]) = {
    val arrivals = new Array[Int](trace.rows)
    val steps = new Steps(trace)
    var count = 0
    while (steps.next()) {
      steps.eachRow((side, place) => arrivals(if (side == Side.Left) place else trace.left.size + place) = count)
      count += 1
    }
    (count, arrivals)
  }

  /** Results as they are found, step by step. */
  final private class Found(rowCount: Int) {
    private var rows, steps = new Array[Int](1024)
    private var size = 0

    def add(row: Int, step: Int): Unit = {
      if (size == rows.length) {
        rows = Arrays.copyOf(rows, 2 * size)
        steps = Arrays.copyOf(steps, 2 * size)
      }
      rows(size) = row
      steps(size) = step
      size += 1
    }

    /** Sorted by row; those of a row and a step put together. */
    def byRow(stepCount: Int, arrivals: Array[Int]): Partners = {
      val starts = new Array[Int](rowCount + 1)
      (0 until size).foreach(i => starts(rows(i) + 1) += 1)
      (0 until rowCount).foreach(row => starts(row + 1) += starts(row))
      val ends = Arrays.copyOf(starts, rowCount)
      val at, counts = new Array[Int](size)
      (0 until size).foreach { i =>
        val row = rows(i)
        val end = ends(row)
        if (end > starts(row) && at(end - 1) == steps(i)) counts(end - 1) += 1
        else {
          at(end) = steps(i)
          counts(end) = 1
          ends(row) += 1
        }
      }
      new Partners(stepCount, arrivals, starts, at, counts)
    }
  }
}
