package shedjoin.sim

/** The rows of one stream, in the order of their times.
  *
  * @param times when each row comes
  * @param values its join attribute
  * @param importances what a result of it is worth to the user
  * @param lastTicks the last tick at which it can meet a partner, as far as the trace itself knows
  */
final class TraceSide private (
    val times: Array[Long],
    val values: Array[Long],
    val importances: Array[Double],
    val lastTicks: Array[Long]
) {
  def size: Int = times.length
}

object TraceSide {
  import shedjoin.core.policy.RowFacts.Never

  /** Rows in any order; those of one time are put into an order that depends on what they are. */
  def apply(times: Array[Long], values: Array[Long], importances: Array[Double], lastTicks: Array[Long]): TraceSide = {
    val lengths = Seq(times.length, values.length, importances.length, lastTicks.length)
    require(
      lengths.distinct.size == 1,
      s"the columns of a side have ${lengths.mkString(", ")} rows; they must have as many"
    )
    val order = times.indices.sortBy(i => (times(i), values(i), importances(i), lastTicks(i))).toArray
    new TraceSide(order.map(times(_)), order.map(values(_)), order.map(importances(_)), order.map(lastTicks(_)))
  }

  def apply(times: Array[Long], values: Array[Long]): TraceSide =
    apply(times, values, Array.fill(times.length)(1.0), Array.fill(times.length)(Never))

  /** One row a step, from step 0 on. */
  def ofSteps(values: Array[Long]): TraceSide = apply(values.indices.map(_.toLong).toArray, values)
}
