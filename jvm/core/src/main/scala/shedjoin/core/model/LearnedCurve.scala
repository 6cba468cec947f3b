package shedjoin.core.model

import java.io.{DataInput, DataOutput}

import shedjoin.core.Budget

/** AGE's priorities (paper 1, section 3.2.1) along a learned age curve, brought up to date as it is learned, in place. */
final class LearnedCurve(budget: Budget) {
  import AgeLearner.{Granularity, Parts}
  import LearnedCurve._

  val learner = new AgeLearner(budget)
  budget.reserve(Budget.arrayBytes(Cells, 8) + Budget.arrayBytes(Parts + 1, 8))
  private val worths = new Array[Double](Cells)
  private val cumulated = new Array[Double](Parts + 1)
  private var asOf = Long.MinValue

  /** The priority by coordinate, where a row's coordinate is its tick of arrival and the origin is now. */
  val curve = new GridCurve(1, 0, worths, budget)

  /** Time has come to `tick`. O(1), and O(parts^2) for each part of the window that has passed. */
  def advance(tick: Long): Unit = {
    learner.advance(tick)
    val part = if (learner.bucketTicks == 0) asOf else Math.floorDiv(tick, learner.bucketTicks)
    if (part != asOf) {
      asOf = part
      draw()
    }
  }

  private def draw(): Unit = {
    var part = 0
    while (part < Parts) {
      cumulated(part + 1) = cumulated(part) + learner.expected(part)
      part += 1
    }
    var most = 0.0
    var cell = 0
    while (cell < Cells) {
      worths(Cells - 1 - cell) = priority(cell) / learner.bucketTicks
      most = math.max(most, worths(Cells - 1 - cell))
      cell += 1
    }
    coarsen(most / Levels)
    val width = learner.bucketTicks / Granularity
    curve.refill(width, 1 - Cells * width, worths)
  }

  /** Differences that nobody can know are taken out. */
  private def coarsen(level: Double): Unit = {
    var cell = 0
    while (level > 0 && cell < Cells) {
      worths(cell) = math.rint(worths(cell) / level) * level
      cell += 1
    }
  }

  /** The steepest way on from the middle of a cell, in partners a part. */
  private def priority(cell: Int): Double = {
    val age = (cell + .5) / Granularity
    val own = age.toInt
    val met = cumulated(own) + (age - own) * (cumulated(own + 1) - cumulated(own))
    var best = 0.0
    var end = own + 1
    while (end <= Parts) {
      best = math.max(best, (cumulated(end) - met) / (end - age))
      end += 1
    }
    best
  }

  def save(out: DataOutput): Unit = {
    learner.save(out)
    out.writeLong(asOf)
    worths.foreach(out.writeDouble)
  }

  def restore(in: DataInput): Unit = {
    learner.restore(in)
    asOf = in.readLong()
    worths.indices.foreach(worths(_) = in.readDouble())
    if (asOf != Long.MinValue) {
      val width = learner.bucketTicks / Granularity
      curve.refill(width, 1 - Cells * width, worths)
    }
  }
}

private object LearnedCurve {
  private val Cells = AgeLearner.Parts * AgeLearner.Granularity
  private val Levels = 128
}
