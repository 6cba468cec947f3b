package shedjoin.core.policy.curve

import java.io.{DataInput, DataOutput}

import shedjoin.core.Budget
import shedjoin.core.model.{GridCurve, Horizon, LearnedAlpha}

/** The curves that rows are worth by, several a side. */
sealed private[policy] trait WorthCurves {
  def apply(side: Int, number: Int): GridCurve

  /** Whether the lifetimes of rows matter. */
  def isLearned: Boolean = false

  /** Whether it matters when just a row came. */
  def keepsArrivals: Boolean = isLearned

  /** A row stayed for so many ticks. */
  def stayed(ticks: Long): Unit = ()
  def timeMoved(): Unit = ()
  def save(out: DataOutput): Unit = ()
  def restore(in: DataInput): Unit = ()
}

private[policy] object WorthCurves {

  /** Curves that stay, by side. */
  final class Given(curves: Array[Array[GridCurve]]) extends WorthCurves {
    def apply(side: Int, number: Int): GridCurve = curves(side)(number)
  }

  /** One curve a side, filled anew by who learns it from when rows came. */
  final class Refilled(curves: Array[GridCurve]) extends WorthCurves {
    def apply(side: Int, number: Int): GridCurve = curves(side)
    override def keepsArrivals: Boolean = true
  }

  /** Curves for streams, or for an alpha, that are learned: alpha from how long rows stay, where no horizon is told. They are
    * made anew, in room taken at the start, when the streams are told to be others, or alpha has moved by an eighth or so.
    *
    * @param make the curves by side for a horizon
    * @param mostBytes what they take at most
    */
  final class Learned(
      told: Option[Horizon],
      origin: CurveOrigin,
      make: Horizon => Array[Array[GridCurve]],
      mostBytes: Long,
      ticksAStep: Long,
      budget: Budget
  ) extends WorthCurves {
    // While new curves are made the old ones exist too.
    budget.reserve(2 * mostBytes)
    private val learned = new LearnedAlpha
    private var curves = made()

    private def made(): Array[Array[GridCurve]] = make(told.getOrElse(Horizon.Decay(learned.alpha)))

    def apply(side: Int, number: Int): GridCurve = curves(side)(number)
    override def isLearned: Boolean = told.isEmpty
    override def stayed(ticks: Long): Unit = learned.observe(ticks.toDouble / ticksAStep)
    override def timeMoved(): Unit = {
      val areOthers = origin.settle()
      if (isLearned && learned.settle() || areOthers) curves = made()
    }
    override def save(out: DataOutput): Unit = learned.save(out)

    /** Where the origin was restored. */
    override def restore(in: DataInput): Unit = {
      learned.restore(in)
      curves = made()
    }
  }
}
