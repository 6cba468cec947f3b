package shedjoin.core.join

import scala.collection.mutable

import shedjoin.core.join.MovingStore.Row

/** What a join does whose rows come in one order and of which [[SmallestGoes]] keeps so many: a plain loop over all pairs. */
final class PlainBatch(kind: JoinKind, val capacity: Int) {
  import MicroBatchSuite.{Output, isPair}
  import SmallestGoes._

  final private class Held(val side: Int, val row: Row, val number: Int, var isFresh: Boolean, var isMatched: Boolean)
  private var held = Vector.empty[Held]
  private var numbers = 0
  private val shedKeys = mutable.Set.empty[Int]
  private val isSemi = kind == JoinKind.LeftSemi

  /** The values of the stored rows. */
  def content: Seq[Int] = held.map(_.row.value).sorted

  def run(left: Seq[Row], right: Seq[Row], shape: JoinShape): Seq[Output] = {
    val out = mutable.ArrayBuffer.empty[Output]
    held.foreach(_.isFresh = false)
    val all = left.map(Side.Left -> _) ++ right.map(Side.Right -> _)
    all.sortBy { case (side, row) => (row.time, side, row.value) }.foreach { case (side, row) =>
      bury(shape, out)(other => !isReached(shape, Side.other(other.side), row.time, other.row.time))
      join(shape, side, row, out)
    }
    bury(shape, out)(_ => true)
    out.toSeq
  }

  /** Whether rows of `side` that come at `time` or later may reach what is at `other`. */
  private def isReached(shape: JoinShape, side: Int, time: Long, other: Long): Boolean = {
    val reach = shape.reach(side)
    if (time == JoinShape.NoTime) !reach.needsTime
    else reach.from == Long.MinValue || BigInt(time) + reach.from <= other
  }

  private def bury(shape: JoinShape, out: mutable.Buffer[Output])(isOut: Held => Boolean): Unit =
    Seq(Side.Left, Side.Right).foreach { side =>
      val (dead, alive) = held.partition(h => h.side == side && h.row.time <= shape.bound(side) && isOut(h))
      held = alive
      dead.filter(h => kind.keeps(side) && !h.isMatched && !shedKeys(h.row.key)).foreach(h => out += alone(side, h.row))
    }

  private def alone(side: Int, row: Row): Output =
    if (side == Side.Left) (Some(row.value), None) else (None, Some(row.value))

  private def join(shape: JoinShape, side: Int, row: Row, out: mutable.Buffer[Output]): Unit = {
    val isLost = isSemi && side == Side.Right && row.time <= shape.rightBound
    val partners = held
      .filter { h =>
        h.side != side && meet(shape, side, row, h) && !(isLost && h.isFresh)
      }
      .sortBy(h => (-BigInt(h.row.time), -h.number))
    val shown = if (isSemi && side == Side.Left) partners.take(1) else partners
    shown.foreach { h =>
      val (l, r) = if (side == Side.Left) (row, h.row) else (h.row, row)
      out += ((Some(l.value), if (isSemi) None else Some(r.value)))
      if (kind.keeps(h.side)) h.isMatched = true
    }
    if (isSemi && side == Side.Right) held = held.filterNot(shown.contains)
    val next = if (side == Side.Left || row.time == JoinShape.NoTime) row.time else row.time + 1
    val canBeMet =
      row.time > shape.bound(side) || !isLost && isReached(shape, Side.other(side), next, row.time)
    if (isSemi && side == Side.Left && shown.nonEmpty) ()
    else if (canBeMet) keep(side, row, shown.nonEmpty)
    else if (kind.keeps(side) && shown.isEmpty && !shedKeys(row.key)) out += alone(side, row)
  }

  private def meet(shape: JoinShape, side: Int, row: Row, other: Held): Boolean = {
    val reach = shape.reach(side)
    val isNear = other.row.time >= reach.earliest(row.time) && other.row.time <= reach.latest(row.time)
    isNear && (if (side == Side.Left) isPair(row, other.row) else isPair(other.row, row))
  }

  private def keep(side: Int, row: Row, isMatched: Boolean): Unit =
    if (isTooLarge(row.value)) shedKeys += row.key
    else {
      if (wantsRoom(row.value)) while (held.size >= capacity) shed()
      numbers += 1
      held :+= new Held(side, row, numbers, true, isMatched)
      while (held.size > capacity) shed()
    }

  private def shed(): Unit = {
    val victim = held.minBy(h => (scattered(h.row.value), h.row.value))
    shedKeys += victim.row.key
    held = held.filterNot(_ eq victim)
  }
}
