package shedjoin.core.policy.curve

import shedjoin.core.collection.{CoordinateTree, RangeFirsts}
import shedjoin.core.model.GridCurve
import shedjoin.core.policy.RowFacts
import shedjoin.core.{Budget, NoRow}

/** Finds the row of least rank on a line, where a rank is a row's weight x the worth of where it is.
  *
  * By branch and bound: no row below a node ranks lower than the least weight there x the least worth of the stretch that the
  * node covers, and where the worth is the same all over it, the first row of the node is the one. So a curve's lower ends
  * are found without a look at its middle, however many runs it has, and whatever the weights are. What is worth nothing
  * counts as worth next to nothing: then the row of least weight goes. Equal ranks go by the rows' second number, and then by
  * content.
  */
final private[policy] class LeastRankSearch(rows: RangeFirsts, facts: RowFacts, budget: Budget) {
  import CoordinateTree.{Fan, MostLevels}
  import LeastRankSearch._

  private val tree = rows.tree
  private val bounds = {
    budget.reserve(Budget.arrayBytes(MostLevels * Fan, 8))
    new Array[Double](MostLevels * Fan)
  }
  private var curve: GridCurve = _
  private var origin = 0L
  private var best = NoRow
  private var bestRank = 0.0
  private var bestSecond = 0L
  private var restRank = Nothing

  /** What was found, or `NoRow`, its rank and its second number. */
  def row: Int = best
  def rank: Double = bestRank
  def second: Long = bestSecond

  /** A rank that no row at another coordinate than that of what was found is below. */
  def rest: Double = restRank

  /** Looks on a line by a curve over the distance from `from`. O(log coordinates) for each run of the curve, at most. */
  def find(line: Int, by: GridCurve, from: Long): Unit = {
    curve = by
    origin = from
    best = NoRow
    restRank = Nothing
    if (tree.root(line) != 0) search(tree.root(line), tree.greatest(line))
  }

  /** Below a node, that has no coordinate above `last`. */
  private def search(node: Int, last: Long): Unit =
    if (tree.isLeaf(node)) {
      val count = tree.count(node)
      var at = 0
      while (at < count) {
        consider(node, at, ranked(tree.weight(node, at), curve.at(distance(tree.key(node, at), origin))))
        at += 1
      }
    } else {
      bound(node, last)
      var at = leastBound(node)
      while (at >= 0) {
        bounds(tree.level(node) * Fan + at) = Done
        search(tree.child(node, at), end(node, at, last))
        at = leastBound(node)
      }
      leaveRest(node)
    }

  /** Notes what ranks are possible below each entry of a node, and looks at those where one row is known to be least. */
  private def bound(node: Int, last: Long): Unit = {
    val start = tree.level(node) * Fan
    val count = tree.count(node)
    var at = 0
    while (at < count) {
      val low = curve.placeOf(distance(tree.key(node, at), origin))
      val high = curve.placeOf(distance(end(node, at, last), origin))
      val least = ranked(tree.weight(node, at), curve.least(low, high))
      if (curve.isFlat(low, high)) {
        consider(node, at, least)
        restRank = math.min(restRank, least)
        bounds(start + at) = Done
      } else bounds(start + at) = least
      at += 1
    }
  }

  /** The entry of a node with the least bound, or -1 where none can hold what is looked for. Of equal bounds the lesser second
    * number comes first: but for rounding, a row that ranks as low as the bound has the least weight of the entry, and so no
    * lesser one.
    */
  private def leastBound(node: Int): Int = {
    val start = tree.level(node) * Fan
    val count = tree.count(node)
    var found = -1
    var least = if (best == NoRow) Double.MaxValue else bestRank
    var leastSecond = if (best == NoRow) Long.MaxValue else bestSecond
    var at = 0
    while (at < count) {
      val bound = bounds(start + at)
      if (bound < least || bound == least && tree.second(node, at) <= leastSecond) {
        found = at
        least = bound
        leastSecond = tree.second(node, at)
      }
      at += 1
    }
    found
  }

  /** Notes what may rank least below the entries of a node that were not looked at. */
  private def leaveRest(node: Int): Unit = {
    val start = tree.level(node) * Fan
    val count = tree.count(node)
    var at = 0
    while (at < count) {
      restRank = math.min(restRank, bounds(start + at))
      at += 1
    }
  }

  private def end(node: Int, at: Int, last: Long): Long =
    if (at + 1 < tree.count(node)) tree.key(node, at + 1) - 1 else last

  /** Considers the first row of an entry. */
  private def consider(node: Int, at: Int, rank: Double): Unit = {
    val row = tree.first(node, at)
    val second = tree.second(node, at)
    val isFirst = best == NoRow || rank < bestRank || rank == bestRank &&
      (second < bestSecond || second == bestSecond && facts.compare(row, best) < 0)
    if (isFirst) {
      if (best != NoRow) restRank = math.min(restRank, bestRank)
      best = row
      bestRank = rank
      bestSecond = second
    } else restRank = math.min(restRank, rank)
  }
}

private[policy] object LeastRankSearch {
  private val Done = Double.PositiveInfinity
  private val Nothing = Double.PositiveInfinity

  /** So little that no worth but 0 is changed by it. */
  private val NextToNothing = 1e-300

  /** How far a coordinate lies from the origin, or the farthest that there is. */
  def distance(coordinate: Long, origin: Long): Long = {
    val far = coordinate - origin
    if (((coordinate ^ origin) & (coordinate ^ far)) >= 0) far
    else if (coordinate < origin) Long.MinValue
    else Long.MaxValue
  }

  def ranked(weight: Double, worth: Double): Double = math.min(weight * (worth + NextToNothing), Double.MaxValue)
}
