package shedjoin.core.model

import java.io.{DataInput, DataOutput}

import shedjoin.core.Budget

/** AGE's priorities (paper 1, section 3.2.1) along a learned age curve, brought up to date as it is learned, in place. */
final class LearnedCurve(val model: AgeModel, budget: Budget) {
  import AgeModel.Parts
  import LearnedCurve._

  budget.reserve(Budget.arrayBytes(Cells, 8) + Budget.arrayBytes(Parts + 1, 8))
  private val worths = new Array[Double](Cells)
  private val cumulated = new Array[Double](Parts + 1)
  private var asOf = Long.MinValue

  /** The priority by coordinate, where a row's coordinate is its tick of arrival and the origin is now. */
  val curve = new GridCurve(1, 0, worths, budget)

  /** Time has come to `tick`. O(1), and O(parts^2) for each part of the window that has passed. */
  def advance(tick: Long): Unit = {
    model.advance(tick)
    val part = if (model.cellTicks == 0) asOf else Math.floorDiv(tick, model.partTicks)
    if (part != asOf) {
      asOf = part
      draw()
    }
  }

  private def draw(): Unit = {
    var part = 0
    while (part < Parts) {
      cumulated(part + 1) = cumulated(part) + model.expected(part)
      part += 1
    }
    val known = Parts * model.cellsAPart
    var cell = 0
    while (cell < Cells) {
      worths(Cells - 1 - cell) = if (cell < known) coarse(priority(cell) / model.partTicks) else 0
      cell += 1
    }
    refill()
  }

  private def refill(): Unit = curve.refill(model.cellTicks, 1 - Cells * model.cellTicks, worths)

  /** Without differences that nobody can know. */
  private def coarse(worth: Double): Double = {
    val level = Math.scalb(1.0, Math.getExponent(worth) - LevelBits)
    math.rint(worth / level) * level
  }

  /** The steepest way on from the middle of a cell, in partners a part. */
  private def priority(cell: Int): Double = {
    val age = (cell + .5) / model.cellsAPart
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
    model.save(out)
    out.writeLong(asOf)
    worths.foreach(out.writeDouble)
  }

  def restore(in: DataInput): Unit = {
    model.restore(in)
    asOf = in.readLong()
    worths.indices.foreach(worths(_) = in.readDouble())
    if (asOf != Long.MinValue) refill()
  }
}

private object LearnedCurve {
  private val Cells = AgeModel.Parts * AgeModel.MostCells

  /** Worths that are the same in so many bits after the first count as equal, however little they are beside others: that
    * keeps the newest rows apart, whose worths differ least.
    */
  private val LevelBits = 10
}
