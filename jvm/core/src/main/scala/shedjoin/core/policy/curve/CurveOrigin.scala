package shedjoin.core.policy.curve

import java.io.{DataInput, DataOutput}

import shedjoin.core.join.Side
import shedjoin.core.model.{BenefitTable, FadingLine, GridCurve, LearnedRegression, RegressionCurves}

/** Where a row's worth is measured from, as time goes by, where the row lies, and which curve holds. */
sealed private[policy] trait CurveOrigin {

  /** Where a row of `side` that comes at `tick` lies for good. */
  def coordinate(side: Int, tick: Long, value: Long): Long

  /** Whether a row lies where it does because of its value alone, and not of when it came. */
  def isByValue: Boolean

  /** Where the origin for rows of `side` is now, or `Unknown`. */
  def origin(side: Int, tick: Long): Long

  /** The number of the curve for rows of `side`. */
  def curve(side: Int, tick: Long): Int = 0
  def observed(side: Int, value: Long, tick: Long): Unit = ()

  /** Whether the curves follow from what was observed; follows that, and tells whether they are others now. */
  def isLearned: Boolean = false
  def settle(): Boolean = false
  def save(out: DataOutput): Unit = ()
  def restore(in: DataInput): Unit = ()
}

private[policy] object CurveOrigin {
  val Unknown: Long = Long.MinValue

  /** Rows lie where they came, and are measured from now: by age. Both are rounded down to `parts` steps a cell of their
    * side's curve, so that rows of one step are of one age, and the order changes with the step only.
    */
  final class Now(curves: Array[GridCurve], parts: Long) extends CurveOrigin {
    private val steps, starts = Array(1L, 1L)

    def isByValue: Boolean = false
    def coordinate(side: Int, tick: Long, value: Long): Long = origin(side, tick)
    def origin(side: Int, tick: Long): Long = {
      val step = math.max(1, curves(side).cell / parts)
      if (step == 1) tick
      else {
        val isKnown = step == steps(side) && tick >= starts(side) && tick - starts(side) < step
        if (!isKnown) {
          steps(side) = step
          starts(side) = java.lang.Math.floorDiv(tick, step) * step
        }
        starts(side)
      }
    }
  }

  /** Rows lie at their value. */
  sealed trait ByValue extends CurveOrigin {
    final def isByValue: Boolean = true
    def coordinate(side: Int, tick: Long, value: Long): Long = value
  }

  /** Rows are measured from where the trend of the other side is. */
  final class Trend(slopes: Array[Double], intercepts: Array[Double], ticksAStep: Long) extends ByValue {
    def origin(side: Int, tick: Long): Long = {
      val other = Side.other(side)
      math.round(slopes(other) * (tick.toDouble / ticksAStep) + intercepts(other))
    }
  }

  /** Rows are measured from the latest value of the other side. */
  sealed class LatestValue extends ByValue {
    private val latest = Array(Unknown, Unknown)

    final protected def latestFor(side: Int): Long = latest(Side.other(side))
    def origin(side: Int, tick: Long): Long = latestFor(side)
    override def observed(side: Int, value: Long, tick: Long): Unit = latest(side) = value
    override def save(out: DataOutput): Unit = latest.foreach(out.writeLong)
    override def restore(in: DataInput): Unit = latest.indices.foreach(latest(_) = in.readLong())
  }

  /** Rows are measured from where the trend of the other side seems to be. */
  final class LearnedTrend(memory: Double) extends ByValue {
    private val trends = Array.fill(2)(new FadingLine(memory))

    def origin(side: Int, tick: Long): Long = {
      val other = trends(Side.other(side))
      if (other.isKnown) math.round(other.at(tick.toDouble)) else Unknown
    }
    override def observed(side: Int, value: Long, tick: Long): Unit =
      trends(side).observe(tick.toDouble, value.toDouble)
    override def save(out: DataOutput): Unit = trends.foreach(_.save(out))
    override def restore(in: DataInput): Unit = trends.foreach(_.restore(in))
  }

  /** Rows are measured from what is expected next after the latest value of the other side, in parts of a whole number.
    *
    * @param curves by the side of the rows
    */
  sealed class Expected(curves: Array[RegressionCurves]) extends LatestValue {
    override def coordinate(side: Int, tick: Long, value: Long): Long = curves(0).coordinate(value)
    override def origin(side: Int, tick: Long): Long = {
      val latest = latestFor(side)
      if (latest == Unknown) Unknown else curves(side).origin(latest)
    }
    override def curve(side: Int, tick: Long): Int = {
      val latest = latestFor(side)
      if (latest == Unknown) 0 else curves(side).cell(latest)
    }
  }

  /** The same, with the parameters of the streams learned; `curves` change with them. */
  final class LearnedExpected(memory: Double, cells: Int, val curves: Array[RegressionCurves])
      extends Expected(curves) {
    private val streams = Array.fill(2)(new LearnedRegression(memory))

    override def isLearned: Boolean = true
    override def origin(side: Int, tick: Long): Long =
      if (streams(Side.other(side)).isKnown) super.origin(side, tick) else Unknown
    override def observed(side: Int, value: Long, tick: Long): Unit = {
      super.observed(side, value, tick)
      streams(side).observe(value.toDouble)
    }
    override def settle(): Boolean = {
      val isLeftNew = streams(Side.Left).settle()
      val isRightNew = streams(Side.Right).settle()
      if (isLeftNew) make(Side.Left)
      if (isRightNew) make(Side.Right)
      isLeftNew || isRightNew
    }
    private def make(side: Int): Unit = curves(Side.other(side)) = new RegressionCurves(streams(side).model, cells)

    override def save(out: DataOutput): Unit = {
      super.save(out)
      streams.foreach(_.save(out))
    }
    override def restore(in: DataInput): Unit = {
      super.restore(in)
      streams.foreach(_.restore(in))
      make(Side.Left)
      make(Side.Right)
    }
  }

  /** Rows are measured from 0, and what they are worth goes by a table of steps.
    *
    * @param tables by the side of the rows
    */
  final class Calendar(tables: Array[BenefitTable], start: Long, ticksAStep: Long) extends ByValue {
    def origin(side: Int, tick: Long): Long = 0
    override def curve(side: Int, tick: Long): Int =
      tables(side).at(java.lang.Math.floorDiv(tick - start, ticksAStep))
  }
}
