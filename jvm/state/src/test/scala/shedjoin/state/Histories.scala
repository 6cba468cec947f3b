package shedjoin.state

import java.nio.{ByteBuffer, ByteOrder}

import scala.collection.mutable
import scala.util.Random

import shedjoin.core.join._

/** Rows, batches and a plain model of a join, for histories of random micro-batches. */
object Histories {

  /** A row as the tests see it: what it joins on, its event time, and a number that makes its bytes its own. */
  final case class TestRow(key: Int, time: Long, value: Int, padding: Int) {

    /** A word, or longer for a key from `Wide` on. */
    def keyBytes: Array[Byte] = {
      val b = ByteBuffer.allocate(if (key < Wide) 16 else 24).order(ByteOrder.nativeOrder)
      b.putLong(0L).putLong(key.toLong).array
    }
    def bytes: Array[Byte] = {
      val b = ByteBuffer.allocate(24 + padding).order(ByteOrder.nativeOrder)
      b.putLong(key.toLong).putLong(time).putInt(value).putInt(padding)
      b.array
    }
  }

  object TestRow {
    def parse(page: Array[Byte], from: Int): TestRow = {
      val b = ByteBuffer.wrap(page).order(ByteOrder.nativeOrder)
      TestRow(b.getLong(from).toInt, b.getLong(from + 8), b.getInt(from + 16), b.getInt(from + 20))
    }
  }

  /** Where the keys of rows stand in them: those of some left rows and of all right ones. */
  val InRows: KeysInRows = KeysInRows(KeyInRow(8, Vector(0), Vector(160)), KeyInRow(8, Vector(0), Vector.empty))

  final case class Batch(left: Seq[TestRow], right: Seq[TestRow], bound: Long)

  /** Matching rows have values whose sum is no multiple of three: a residual condition. */
  def matches(left: TestRow, right: TestRow): Boolean = (left.value + right.value) % 3 != 0

  type Output = (Option[TestRow], Option[TestRow])

  /** The keys from here on are no [[WordKey]]s. */
  val Wide: Int = 1 << 29

  val kinds: Seq[JoinKind] =
    Seq(JoinKind.Inner, JoinKind.LeftOuter, JoinKind.RightOuter, JoinKind.FullOuter, JoinKind.LeftSemi)

  def someKind(random: Random): JoinKind = kinds(random.nextInt(kinds.size))

  /** Some batches whose times move on with disorder; each expires what lies `window` behind, but for some whose bound stands
    * still or goes back. Every third key is wide, where some are. One row in forty is as much longer as `largest` says.
    */
  def batches(
      random: Random,
      count: Int,
      rows: Int,
      keys: Int,
      window: Long,
      someWide: Boolean = true,
      largest: Int = 20000
  ): Seq[Batch] = {
    var now = 1000L
    var bound = now - window
    var value = 0
    def row(): TestRow = {
      value += 1
      val time =
        if (random.nextInt(20) == 0) JoinShape.NoTime
        else now + random.nextInt(50) - (if (random.nextInt(5) == 0) window / 2 else 0)
      val duplicate = random.nextInt(6) == 0
      val key = random.nextInt(keys)
      TestRow(
        if (someWide && key % 3 == 1) Wide + key else key,
        time,
        if (duplicate) 1 else value,
        if (random.nextInt(40) == 0) largest else random.nextInt(4) * 3
      )
    }
    Seq.fill(count) {
      now += random.nextInt(40)
      bound = random.nextInt(8) match {
        case 0 => bound
        case 1 => now - window - random.nextInt(60)
        case _ => now - window
      }
      Batch(Seq.fill(random.nextInt(rows))(row()), Seq.fill(random.nextInt(rows))(row()), bound)
    }
  }

  def someReach(random: Random): Reach =
    Seq(
      Reach.Everything,
      Reach(-30, 10, needsTime = true),
      Reach(Long.MinValue, 5, needsTime = true)
    )(random.nextInt(3))

  /** A join whose left rows reach right ones as `reach` says, and the other way round. */
  def shapeOf(kind: JoinKind, reach: Reach, bound: Long): JoinShape = {
    val from = if (reach.to == Long.MaxValue) Long.MinValue else -reach.to
    val to = if (reach.from == Long.MinValue) Long.MaxValue else -reach.from
    val rightBound = if (bound == JoinShape.NoBound) bound else bound - 7
    JoinShape(kind, bound, rightBound, reach, Reach(from, to, reach.needsTime))
  }

  /** A batch on `state`, which was begun; `beforeStep` comes before each row. */
  def batchOn(state: JoinState, batch: Batch, shape: JoinShape, beforeStep: () => Unit = () => ()): MicroBatch = {
    val source: RowSource = side => {
      (if (side == Side.Left) batch.left else batch.right).foreach { row =>
        beforeStep()
        stage(state, row)
      }
      beforeStep()
      false
    }
    val condition: PairCondition = (l, r) => matches(rowAt(state, l), rowAt(state, r))
    new MicroBatch(state, new SideBySide(state, shape.kind, source), shape, condition)
  }

  /** A batch of rows of one side, which `rows` stages, all of whose candidates match. */
  def oneSided(state: JoinState, side: Int, shape: JoinShape)(rows: => Unit): MicroBatch = {
    val source: RowSource = turn => {
      if (turn == side) rows
      false
    }
    new MicroBatch(state, new SideBySide(state, shape.kind, source), shape, PairCondition.Always)
  }

  /** Runs a batch on `state`, which was begun, and returns its output; `beforeStep` comes before each row and result. */
  def runBatch(state: JoinState, batch: Batch, shape: JoinShape, beforeStep: () => Unit = () => ()): Seq[Output] =
    outputOf(batchOn(state, batch, shape, beforeStep), shape.kind, beforeStep)(rowAt(state, _))

  /** Runs a batch whose rows lie outside of `state`, which was begun, and come in one order. */
  def runMerged(state: JoinState, batch: Batch, shape: JoinShape): Seq[Output] = {
    val rows = new ListedRows(batch)
    def row(address: Int): TestRow = if (address == Incoming.Outside) rows.row else rowAt(state, address)
    val step = new MicroBatch(state, new Arriving(state, rows), shape, (l, r) => matches(row(l), row(r)))
    outputOf(step, shape.kind, () => ())(row)
  }

  private def outputOf(step: MicroBatch, kind: JoinKind, beforeStep: () => Unit)(row: Int => TestRow): Seq[Output] = {
    def optional(address: Int): Option[TestRow] = if (address == RowStore.NoAddress) None else Some(row(address))
    val out = mutable.ArrayBuffer.empty[Output]
    def next(): Boolean = {
      beforeStep()
      step.next()
    }
    def drain(): Unit = while (next()) out += ((optional(step.left), optional(step.right)))
    drain()
    step.expire()
    drain()
    if (kind == JoinKind.LeftSemi) out.map(o => (o._1, None)).toSeq else out.toSeq
  }

  def stage(state: JoinState, row: TestRow): Unit = {
    val key = row.keyBytes
    val bytes = row.bytes
    state.stage(key, 0, key.length, bytes, 0, bytes.length, row.time)
  }

  def rowAt(state: JoinState, address: Int): TestRow = TestRow.parse(state.page(address), state.offset(address))

  /** What is stored, as a multiset: side, row, matched. */
  def content(state: JoinState): Map[(Int, TestRow, Boolean), Int] = multiset(contentById(state).values.toSeq)

  def allIds(state: JoinState): Seq[Int] = {
    val ids = mutable.ArrayBuffer.empty[Int]
    state.foreachRow(ids += _)
    ids.toSeq
  }

  /** What is stored, by id. */
  def contentById(state: JoinState): Map[Int, (Int, TestRow, Boolean)] =
    allIds(state).map(id => id -> ((state.side(id), rowAt(state, state.address(id)), state.isMatched(id)))).toMap

  def multiset[A](all: Seq[A]): Map[A, Int] = all.groupMapReduce(identity)(_ => 1)(_ + _)

  /** The model: a plain sequence a key, every pair looked at. */
  final class Naive {
    final private class Held(val side: Int, val row: TestRow, var matched: Boolean)
    private var held = Map.empty[Int, Vector[Held]].withDefaultValue(Vector.empty)

    def copy: Naive = {
      val other = new Naive
      held.foreach { case (key, rows) =>
        other.held = other.held.updated(key, rows.map(h => new other.Held(h.side, h.row, h.matched)))
      }
      other
    }

    def content: Map[(Int, TestRow, Boolean), Int] =
      multiset(held.values.flatten.map(h => (h.side, h.row, h.matched)).toSeq)

    def run(batch: Batch, shape: JoinShape): Seq[Output] = {
      val out = mutable.ArrayBuffer.empty[Output]
      val semi = shape.kind == JoinKind.LeftSemi
      def probe(side: Int, rows: Seq[TestRow]): Unit = rows.foreach { row =>
        val partners = held(row.key).filter(h => h.side != side && meet(shape, side, row, h.row))
        val shown = if (semi && side == Side.Left) partners.take(1) else partners
        shown.foreach(h => out += (if (side == Side.Left) pair(row, h.row) else pair(h.row, row)))
        if (semi && side == Side.Right) held = held.updated(row.key, held(row.key).filterNot(partners.contains))
        partners.foreach(h => if (shape.kind.keeps(h.side)) h.matched = true)
        val expires = row.time != JoinShape.NoTime && row.time <= shape.bound(side)
        val stays =
          if (side == Side.Left) !(semi && partners.nonEmpty)
          else !expires || (shape.kind.keepsRight && partners.isEmpty)
        val matched = partners.nonEmpty && shape.kind.keeps(side)
        if (stays) held = held.updated(row.key, held(row.key) :+ new Held(side, row, matched))
      }
      if (semi) probe(Side.Right, batch.right)
      probe(Side.Left, batch.left)
      if (!semi) probe(Side.Right, batch.right)
      def expires(h: Held): Boolean = h.row.time != JoinShape.NoTime && h.row.time <= shape.bound(h.side)
      val gone = held.values.flatten.filter(expires)
      held = held.map { case (key, rows) => key -> rows.filterNot(expires) }.withDefaultValue(Vector.empty)
      gone.filter(h => shape.kind.keeps(h.side) && !h.matched).foreach { h =>
        out += (if (h.side == Side.Left) (Some(h.row), None) else (None, Some(h.row)))
      }
      if (semi) out.map(o => (o._1, None)).toSeq else out.toSeq
    }

    private def pair(l: TestRow, r: TestRow): Output = (Some(l), Some(r))

    private def meet(shape: JoinShape, side: Int, row: TestRow, other: TestRow): Boolean = {
      val reach = shape.reach(side)
      val inReach = other.time >= reach.earliest(row.time) && other.time <= reach.latest(row.time)
      inReach && (if (side == Side.Left) matches(row, other) else matches(other, row))
    }
  }
}
