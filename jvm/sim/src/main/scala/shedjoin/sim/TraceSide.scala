package shedjoin.sim

/** The rows of one stream, in the order of their times.
  *
  * @param times when each row comes
  * @param keys its join attribute
  * @param values what policies see of it: the join attribute as a number
  * @param importances how much the user values a result of it
  * @param lastTicks the last tick at which it can meet a partner, as far as the trace itself knows
  */
final class TraceSide private (
    val times: Array[Long],
    val keys: Array[Long],
    val values: Array[Long],
    val importances: Array[Double],
    val lastTicks: Array[Long]
) {
  def size: Int = times.length

  private def compare(a: Int, b: Int): Int = {
    import java.lang.{Double => JDouble, Long => JLong}
    if (times(a) != times(b)) JLong.compare(times(a), times(b))
    else if (values(a) != values(b)) JLong.compare(values(a), values(b))
    else if (keys(a) != keys(b)) JLong.compare(keys(a), keys(b))
    else if (importances(a) != importances(b)) JDouble.compare(importances(a), importances(b))
    else JLong.compare(lastTicks(a), lastTicks(b))
  }

  /** These rows; those of one time in an order that depends on what they are. O(rows) where they lie so already. */
  private def sorted: TraceSide =
    if ((1 until size).forall(i => compare(i - 1, i) <= 0)) this
    else {
      val order = Array.tabulate(size)(Integer.valueOf)
      java.util.Arrays.sort(order, (a: Integer, b: Integer) => compare(a, b))
      def longs(column: Array[Long]): Array[Long] = order.map(i => column(i))
      new TraceSide(longs(times), longs(keys), longs(values), order.map(i => importances(i)), longs(lastTicks))
    }
}

object TraceSide {
  import shedjoin.core.policy.RowFacts.Never

  /** Rows in any order. */
  def apply(times: Array[Long], values: Array[Long], importances: Array[Double], lastTicks: Array[Long]): TraceSide =
    checked(new TraceSide(times, values, values, importances, lastTicks))

  def apply(times: Array[Long], values: Array[Long]): TraceSide =
    apply(times, values, Array.fill(times.length)(1.0), Array.fill(times.length)(Never))

  /** Rows in any order, joined by something else than policies see. */
  def keyed(times: Array[Long], keys: Array[Long], values: Array[Long], importances: Array[Double]): TraceSide =
    checked(new TraceSide(times, keys, values, importances, Array.fill(times.length)(Never)))

  /** One row a step, from step 0 on. */
  def ofSteps(values: Array[Long]): TraceSide = apply(values.indices.map(_.toLong).toArray, values)

  private def checked(side: TraceSide): TraceSide = {
    import side._
    val lengths = Seq(times.length, keys.length, values.length, importances.length, lastTicks.length)
    require(
      lengths.distinct.size == 1,
      s"the columns of a side have ${lengths.mkString(", ")} rows; they must have as many"
    )
    side.sorted
  }
}
