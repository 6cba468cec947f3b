package shedjoin.sim

import java.util.Arrays

import shedjoin.core.join.Side
import shedjoin.core.policy.RowFacts

/** Two streams.
  *
  * @param isStepwise whether the rows of one time come at once: all of them meet the stored rows and not each other, and
  *   the store is cut afterwards. Else they come one after the other, the left ones first.
  */
final case class Trace(left: TraceSide, right: TraceSide, isStepwise: Boolean) {
  def side(side: Int): TraceSide = if (side == Side.Left) left else right

  def rows: Int = left.size + right.size

  /** The ticks of the first and the last row; 0 and 0 where there is none. */
  lazy val firstTick: Long = Seq(left, right).flatMap(_.times.headOption).minOption.getOrElse(0L)
  lazy val lastTick: Long = Seq(left, right).flatMap(_.times.lastOption).maxOption.getOrElse(0L)

  /** Whether a row that has just come can meet more, up to `lastTick`; at one time only right rows come after left ones. */
  def mayMeetMore(side: Int, lastTick: Long, tick: Long): Boolean =
    lastTick > tick || lastTick == tick && side == Side.Left && !isStepwise

  /** Whether every row has a last tick at which it can meet a partner. O(rows). */
  def livesEnd(within: Within): Boolean = Seq(Side.Left, Side.Right).forall { one =>
    (0 until side(one).size).forall(within.lastTick(this, one, _) != RowFacts.Never)
  }

  private lazy val distinctKeys: Array[Long] = {
    val all = left.keys ++ right.keys
    Arrays.sort(all)
    var count = 0
    all.indices.foreach { i =>
      if (i == 0 || all(i) != all(i - 1)) {
        all(count) = all(i)
        count += 1
      }
    }
    Arrays.copyOf(all, count)
  }

  /** The keys of both sides, numbered from 0 on in their order. */
  lazy val keyNumbers: Array[Array[Int]] = Array(left, right).map(_.keys.map(Arrays.binarySearch(distinctKeys, _)))

  def keyCount: Int = distinctKeys.length
}

object Trace {

  /** One row a side and step. */
  def ofSteps(left: Array[Long], right: Array[Long]): Trace =
    Trace(TraceSide.ofSteps(left), TraceSide.ofSteps(right), isStepwise = true)
}
