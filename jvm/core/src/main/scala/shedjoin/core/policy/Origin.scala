package shedjoin.core.policy

import java.io.{DataInput, DataOutput}

import shedjoin.core.join.Side

/** Where a row's worth is measured from, as time goes by, and where the row lies. */
sealed private[policy] trait Origin {

  /** Where a row that comes at `tick` lies for good. */
  def coordinate(tick: Long, value: Long): Long

  /** Where the origin for rows of `side` is now, or `Unknown`. */
  def origin(side: Int, tick: Long): Long
  def observed(side: Int, value: Long): Unit = ()
  def save(out: DataOutput): Unit = ()
  def restore(in: DataInput): Unit = ()
}

private[policy] object Origin {
  val Unknown: Long = Long.MinValue

  /** Rows lie where they came, and are measured from now: by age. */
  object Now extends Origin {
    def coordinate(tick: Long, value: Long): Long = tick
    def origin(side: Int, tick: Long): Long = tick
  }

  /** Rows lie at their value, and are measured from where the trend of the other side is. */
  final class Trend(slopes: Array[Double], intercepts: Array[Double], ticksAStep: Long) extends Origin {
    def coordinate(tick: Long, value: Long): Long = value
    def origin(side: Int, tick: Long): Long = {
      val other = Side.other(side)
      math.round(slopes(other) * (tick.toDouble / ticksAStep) + intercepts(other))
    }
  }

  /** Rows lie at their value, and are measured from the latest one of the other side. */
  final class LatestValue extends Origin {
    private val latest = Array(Unknown, Unknown)

    def coordinate(tick: Long, value: Long): Long = value
    def origin(side: Int, tick: Long): Long = latest(Side.other(side))
    override def observed(side: Int, value: Long): Unit = latest(side) = value
    override def save(out: DataOutput): Unit = latest.foreach(out.writeLong)
    override def restore(in: DataInput): Unit = latest.indices.foreach(latest(_) = in.readLong())
  }
}
