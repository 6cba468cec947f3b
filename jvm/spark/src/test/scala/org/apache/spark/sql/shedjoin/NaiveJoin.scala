package org.apache.spark.sql.shedjoin

/** The join of a history by two nested loops: which pairs it emits, and which rows come out beside nulls.
  *
  * O(left rows x right rows): a history has many of one side at most.
  */
final class NaiveJoin(history: History) {
  import NaiveJoin._

  private val join = history.join
  private val lefts = rowsOf(0)
  private val rights = rowsOf(1)

  /** Every matching pair of ids, as often as it matches. */
  val pairs: Vector[(Long, Long)] = for { l <- lefts; r <- rights if matches(l, r) } yield (l.event.id, r.event.id)

  private val matchedLefts = lefts.filter(l => rights.exists(matches(l, _))).toSet
  private val matchedRights = rights.filter(r => lefts.exists(matches(_, r))).toSet

  /** The left rows that a left semi join emits. */
  def semi: Vector[Long] = lefts.filter(matchedLefts).map(_.event.id)

  /** The unmatched rows that outer joins emit, by side; rows without a time may stay in the state for ever. */
  def alone(side: Int, withoutTime: Boolean): Vector[Long] = {
    val (rows, matched) = if (side == 0) (lefts, matchedLefts) else (rights, matchedRights)
    rows.filterNot(matched).filter(row => withoutTime || row.event.micros.isDefined).map(_.event.id)
  }

  private def rowsOf(side: Int): Vector[Copy] = history.batches.flatten.filter(_.side == side).flatMap(copies)

  /** An event once for each window that it is in; without a time it is in none. */
  private def copies(event: Event): Seq[Copy] = join.time match {
    case windows: TimeCondition.Windows => event.micros.toSeq.flatMap(windows.endsAt).map(Copy(event, _))
    case _ => Seq(Copy(event, 0))
  }

  private def matches(l: Copy, r: Copy): Boolean =
    sameKey(l.event, r.event) && (!join.twoColumns || l.event.k2 == r.event.k2) && sameTime(l, r) &&
      (!join.residual || both(l.event.v, r.event.v)((a, b) => (a + b) % 3 != 0)) &&
      (!join.leftOnly || l.event.v.exists(_ > 1)) && (!join.rightOnly || r.event.v.exists(_ < 8))

  private def sameKey(l: Event, r: Event): Boolean =
    both(l.k, r.k)((a, b) => join.key.sameAs(a) == join.key.sameAs(b)) || (join.nullSafe && l.k.isEmpty && r.k.isEmpty)

  private def sameTime(l: Copy, r: Copy): Boolean = join.time match {
    case TimeCondition.Unrelated => true
    case TimeCondition.Same => both(l.event.micros, r.event.micros)(_ == _)
    case _: TimeCondition.Windows => l.windowEnd == r.windowEnd
    case range: TimeCondition.Range => both(l.event.micros, r.event.micros)(range.holds)
  }

  private def both[A](a: Option[A], b: Option[A])(f: (A, A) => Boolean): Boolean = a.exists(x => b.exists(f(x, _)))
}

object NaiveJoin {
  final private case class Copy(event: Event, windowEnd: Long)

  /** What is wrong with the output of a history in which nothing was late, if anything is. */
  def complaint(history: History, output: Vector[Joined]): Option[String] = {
    val naive = new NaiveJoin(history)
    val join = history.join
    val found = output.collect { case Joined(Some(l), Some(r), _) => (l, r) }
    val pairs =
      if (join.isSemi) difference("rows", output.flatMap(_.left), naive.semi)
      else difference("pairs", found, naive.pairs)
    val keeps = Seq(Set("left_outer", "full_outer"), Set("right_outer", "full_outer")).map(_.contains(join.joinType))
    val alone = for (side <- Seq(0, 1) if !join.isSemi) yield {
      val rows = output
        .filter(o => if (side == 0) o.right.isEmpty else o.left.isEmpty)
        .flatMap(o => if (side == 0) o.left else o.right)
      val (all, sure) =
        if (keeps(side)) (naive.alone(side, true), naive.alone(side, false)) else (Vector.empty, Vector.empty)
      val extra = rows.diff(all)
      val missing = if (join.isBounded) sure.filter(_ < 1000000).diff(rows) else Vector.empty
      Option.when(extra.nonEmpty || missing.nonEmpty)(
        s"rows of side $side beside nulls: too many $extra, missing $missing"
      )
    }
    (pairs +: alone).flatten.reduceOption(_ + "; " + _)
  }

  private def difference[A](what: String, found: Vector[A], right: Vector[A]): Option[String] =
    Option.when(found.diff(right).nonEmpty || right.diff(found).nonEmpty)(
      s"$what: too many ${found.diff(right)}, missing ${right.diff(found)}"
    )
}
