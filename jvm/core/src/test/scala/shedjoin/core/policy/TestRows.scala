package shedjoin.core.policy

import scala.collection.mutable

/** A stored row as a test knows it. */
final case class TestRow(side: Int, value: Int, lastTick: Long, importance: Double, content: Int, arrival: Long) {
  def bytes: Int = 1 + content % 3

  /** When it met how many partners. */
  val matches = mutable.ArrayBuffer.empty[(Long, Int)]

  /** What it met when it came, before it was stored. */
  var metFirst = 0
  def metStored: Int = matches.map(_._2).sum - metFirst
  def lastMatch: Long = matches.lastOption.fold(arrival)(_._1)
}

/** The facts of the rows of a test. */
final class TestRows extends RowFacts {
  val stored = mutable.TreeMap.empty[Int, TestRow]
  def side(row: Int): Int = stored(row).side
  def key(row: Int): Int = stored(row).value
  def value(row: Int): Long = stored(row).value.toLong
  def lastTick(row: Int): Long = stored(row).lastTick
  def importance(row: Int): Double = stored(row).importance
  override def bytes(row: Int): Int = stored(row).bytes
  def compareContent(a: Int, b: Int): Int = {
    val (x, y) = (stored(a), stored(b))
    TestRows.byContent.compare(x, y)
  }
}

object TestRows {

  /** Rows are equal only if nothing tells them apart. */
  private val byContent: Ordering[TestRow] =
    Ordering
      .by((row: TestRow) => (row.side, row.content, row.value, row.arrival))
      .orElseBy(_.importance)(
        Ordering.Double.TotalOrdering
      )
}

/** A policy under test, and what its ranks are, said as plainly as can be.
  *
  * @param areEqual whether rows are equals at a tick if `rank` gives them the same number: rounding may have done so
  */
final case class PolicyCase(
    name: String,
    settings: Map[String, String],
    precision: Double = PolicyCase.Exact,
    areEqual: (TestRow, TestRow, Long) => Boolean = (_, _, _) => true
)(val rank: (PolicyHistory, Int) => Double) {
  override def toString: String = (name +: settings.keys.toSeq.sorted.map(k => s"$k=${settings(k)}")).mkString(" ")
}

object PolicyCase {

  /** How far ranks may be off that are computed as they are here, or nearly so. */
  val Exact = 1e-9

  /** Whether rows are equals for what they are. */
  val areAlike: (TestRow, TestRow, Long) => Boolean = (a, b, _) =>
    a.side == b.side && a.value == b.value && a.importance == b.importance && a.bytes == b.bytes
}
