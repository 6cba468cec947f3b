package shedjoin.core.join

import scala.collection.mutable
import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.Seeded
import shedjoin.core.join.MovingStore.Row
import shedjoin.core.join.RowStore.NoAddress

class MicroBatchSuite extends AnyFunSuite with Seeded {
  import MicroBatchSuite._

  kinds.foreach { kind =>
    test(s"$kind: results are read where the rows lie after whatever the batch did with them") {
      histories(1500) { random =>
        val store = new MovingStore
        val shape = JoinShape(kind, random.nextInt(30).toLong, random.nextInt(30).toLong, Reach(-9, 12), Reach(-12, 9))
        val isSemi = kind == JoinKind.LeftSemi
        val left = someRows(random, 12, 0).filter(_.time != JoinShape.NoTime)
        val right = someRows(random, 12, left.size).filter(_.time != JoinShape.NoTime)
        val batch = new MicroBatch(store, sideBySide(store, kind, left, right), shape, matches(store))
        val joined = drain(batch, store)
        val expected = for {
          l <- left
          r <- right
          if (!isSemi || r.time > shape.rightBound) && isPair(l, r) && r.time >= l.time - 9 && r.time <= l.time + 12
        } yield (Option(l.value), Option(r.value))
        if (!isSemi) assert(joined.sortBy(_.toString) == expected.sortBy(_.toString))
        else assert(joined.map(_._1).sortBy(_.toString) == joinedLeft(left, expected))
        val storedBefore = store.content.size
        batch.expire()
        val nulls = drain(batch, store)
        val met = expected.flatMap { case (l, r) => Seq(Side.Left -> l, Side.Right -> r) }.toSet
        def expires(side: Int)(row: Row): Boolean = row.time <= shape.bound(side)
        def unmet(side: Int)(row: Row): Boolean = !met(side -> Option(row.value))
        val lefts = if (kind.keepsLeft) left.filter(expires(Side.Left)).filter(unmet(Side.Left)) else Nil
        val rights = if (kind.keepsRight) right.filter(expires(Side.Right)).filter(unmet(Side.Right)) else Nil
        val alone = lefts.map(l => (Option(l.value), None)) ++ rights.map(r => (None, Option(r.value)))
        assert(nulls.sortBy(_.toString) == alone.sortBy(_.toString))
        assert(batch.stored - batch.removed == store.content.size && storedBefore >= store.content.size)
        val stay = left.filter(row => !isSemi || unmet(Side.Left)(row)).filterNot(expires(Side.Left)) ++
          right.filterNot(expires(Side.Right))
        val marked = stay.map(row => row.value -> (kind.keeps(row.side) && !unmet(row.side)(row)))
        assert(store.content.map { case (row, matched) => row.value -> matched }.sorted == marked.sorted)
      }
    }

    test(s"$kind: merged by time or side by side, batches give the same results, stored rows and counts") {
      histories(1500) { random =>
        val apart, merged = new MovingStore
        var now = 20L
        (1 to 4).foreach { number =>
          val shape = someShape(random, kind, now)
          val left = someRows(random, 8, 100 * number, now)
          val right = someRows(random, 8, 100 * number + 50, now)
          apart.begin()
          merged.begin()
          val one = new MicroBatch(apart, sideBySide(apart, kind, left, right), shape, matches(apart))
          val (incoming, condition) = inOrder(merged, left.map(_.copy), right.map(_.copy))
          val other = new MicroBatch(merged, incoming, shape, condition)
          val (expected, found) = (toTheEnd(one, apart), toTheEnd(other, merged))
          def shown(out: Seq[Output]) = (if (kind == JoinKind.LeftSemi) out.map(_._1) else out).map(_.toString).sorted
          assert(shown(found) == shown(expected), s"in batch $number")
          assert(contentOf(merged) == contentOf(apart), s"after batch $number")
          assert(other.stored == one.stored && other.removed == one.removed, s"in batch $number")
          now += random.nextInt(25)
        }
      }
    }

    test(s"$kind: under a cap, what a plain loop over all pairs does happens, in its order") {
      histories(800) { random =>
        val store = new MovingStore
        val plain = new PlainBatch(kind, capacity = 1 + random.nextInt(8))
        val keeper = new SmallestGoes(store, plain.capacity)
        var now = 20L
        (1 to 4).foreach { number =>
          val shape = someShape(random, kind, now)
          val left = someRows(random, 8, 100 * number, now)
          val right = someRows(random, 8, 100 * number + 50, now)
          store.begin()
          val (incoming, condition) = inOrder(store, left.map(_.copy), right.map(_.copy))
          keeper.shape = shape
          val batch = new MicroBatch(store, incoming, shape, condition, keeper)
          val found = toTheEnd(batch, store).map(out => if (kind == JoinKind.LeftSemi) (out._1, None) else out)
          assert(found == plain.run(left, right, shape), s"in batch $number")
          assert(contentOf(store).map(_._1) == plain.content, s"after batch $number")
          now += random.nextInt(25)
        }
        assert(keeper.told == store.content.map(_._1.value).toSet, "the keeper knows of other rows than are stored")
      }
    }
  }

  test("a left row that is stored comes out of a left semi join at its first match, and is counted as removed") {
    val store = new MovingStore
    def taken(left: Seq[Row], right: Seq[Row]): MicroBatch =
      new MicroBatch(
        store,
        sideBySide(store, JoinKind.LeftSemi, left, right),
        unbounded(JoinKind.LeftSemi),
        PairCondition.Always
      )
    val first = taken((0 until 4).map(value => new Row(value % 2, 0, value)), Nil)
    assert(drain(first, store).isEmpty && first.stored == 4)
    val second = taken(Nil, (4 until 6).map(value => new Row(1, 0, value)))
    assert(drain(second, store).flatMap(_._1).sorted == Seq(1, 3))
    assert(second.removed == 2 && store.content.map(_._1.value).sorted == Seq(0, 2, 4, 5))
  }

  test("without rows, and without bounds, a batch has nothing to say") {
    val store = new MovingStore
    def earliest(key: Int) = Seq(new Row(key, Long.MinValue, key))
    def taken(kind: JoinKind, left: Seq[Row], right: Seq[Row]): MicroBatch =
      new MicroBatch(store, sideBySide(store, kind, left, right), unbounded(kind), PairCondition.Always)
    def merged(kind: JoinKind, left: Seq[Row], right: Seq[Row]): MicroBatch =
      new MicroBatch(store, inOrder(store, left, right)._1, unbounded(kind), PairCondition.Always)
    var rows = 0
    kinds.foreach { kind =>
      Seq(taken _, merged _).foreach { run =>
        assert(toTheEnd(run(kind, Nil, Nil), store).isEmpty)
        rows += 2
        assert(toTheEnd(run(kind, earliest(rows), earliest(rows + 1)), store).isEmpty)
        assert(store.content.size == rows, s"without a bound nothing expires, whatever its time: $kind")
      }
    }
  }

  test("a row that can match nothing comes out at once where its side is kept, and is not stored") {
    kinds.foreach { kind =>
      val store = new MovingStore
      var left = 2
      val source: RowSource = side => side == Side.Left && { left -= 1; left >= 0 }
      val batch = new MicroBatch(store, new SideBySide(store, kind, source), unbounded(kind), PairCondition.Always)
      var out = 0
      while (batch.next()) {
        assert(batch.left == Incoming.Outside && batch.right == NoAddress)
        out += 1
      }
      assert(out == (if (kind.keepsLeft) 2 else 0) && store.content.isEmpty && batch.stored == 0)
    }
  }

  test("rows at the ends of time meet those in reach, and no others") {
    val times = Seq(Long.MinValue, Long.MinValue + 1, -5L, 0L, 5L, Long.MaxValue - 1, JoinShape.NoTime)
    val store = new MovingStore
    val shape = JoinShape(JoinKind.Inner, JoinShape.NoBound, JoinShape.NoBound, Reach(-5, 5), Reach(-5, 5))
    def met(left: Seq[Row], right: Seq[Row]): Seq[Output] = {
      val rows = sideBySide(store, JoinKind.Inner, left, right)
      drain(new MicroBatch(store, rows, shape, PairCondition.Always), store)
    }
    met(times.zipWithIndex.map { case (time, value) => new Row(1, time, value) }, Nil)
    times.zipWithIndex.foreach { case (time, value) =>
      val found = met(Nil, Seq(new Row(1, time, 100 + value))).flatMap(_._1).toSet
      val near = times.indices.filter(i => BigInt(times(i)) - time <= 5 && BigInt(time) - times(i) <= 5).toSet
      val everything = time == JoinShape.NoTime
      val isRight =
        if (everything) found == times.indices.toSet else near.diff(found).isEmpty && found.diff(near).subsetOf(Set(6))
      assert(isRight)
    }
  }
}

object MicroBatchSuite {
  type Output = (Option[Int], Option[Int])

  val kinds: Seq[JoinKind] =
    Seq(JoinKind.Inner, JoinKind.LeftOuter, JoinKind.RightOuter, JoinKind.FullOuter, JoinKind.LeftSemi)

  def isPair(left: Row, right: Row): Boolean = left.key == right.key && (left.value + right.value) % 3 != 0

  private def matches(store: MovingStore): PairCondition = (l, r) => isPair(store.at(l), store.at(r))

  private def unbounded(kind: JoinKind): JoinShape =
    JoinShape(kind, JoinShape.NoBound, JoinShape.NoBound, Reach.Everything, Reach.Everything)

  /** Reaches of any kind, and bounds that lie behind, in the midst of and before the rows around `now`, or are none. */
  private def someShape(random: Random, kind: JoinKind, now: Long): JoinShape = {
    val (from, to) =
      Seq((-9L, 12L), (-12L, -3L), (2L, 8L), (Long.MinValue, 5L), (Long.MinValue, Long.MaxValue))(random.nextInt(5))
    def back(end: Long): Long =
      if (end == Long.MinValue) Long.MaxValue else if (end == Long.MaxValue) Long.MinValue else -end
    def bound: Long = if (random.nextInt(5) == 0) JoinShape.NoBound else now + random.nextInt(40) - 20
    val needsTime = from != Long.MinValue || to != Long.MaxValue
    JoinShape(kind, bound, bound, Reach(from, to, needsTime), Reach(back(to), back(from), needsTime))
  }

  private def someRows(random: Random, count: Int, values: Int, now: Long = 10): Seq[Row] =
    Seq.tabulate(random.nextInt(count) + 1) { i =>
      val time = if (random.nextInt(10) == 0) JoinShape.NoTime else now + random.nextInt(30) - 10
      new Row(random.nextInt(3), time, values + i)
    }

  private def sideBySide(store: MovingStore, kind: JoinKind, left: Seq[Row], right: Seq[Row]): SideBySide =
    new SideBySide(
      store,
      kind,
      side => {
        (if (side == Side.Left) left else right).foreach(store.stage)
        false
      }
    )

  /** Rows of both sides in order of time, side and value, that lie outside of the store, and what matches them. */
  private def inOrder(stored: MovingStore, left: Seq[Row], right: Seq[Row]): (Incoming, PairCondition) = {
    left.foreach(_.side = Side.Left)
    right.foreach(_.side = Side.Right)
    val rows = (left ++ right).sortBy(row => (row.time, row.side, row.value))
    var at = -1
    var isTaken = true
    val incoming = new Incoming {
      def isMerged: Boolean = true
      def isAlone: Boolean = false
      def advance(): Boolean = {
        assert(isTaken, s"nobody took row $at")
        if (at < rows.size) at += 1
        isTaken = at == rows.size
        !isTaken
      }
      def side: Int = rows(at).side
      def key: Int = rows(at).key
      def time: Long = rows(at).time
      def address: Int = Incoming.Outside
      def store(isMatched: Boolean): Int = {
        take()
        stored.store(rows(at), side, isMatched)
      }
      def discard(): Unit = take()
      private def take(): Unit = {
        assert(!isTaken, s"row $at was taken twice")
        isTaken = true
      }
    }
    def row(address: Int): Row = if (address == Incoming.Outside) rows(at) else stored.at(address)
    stored.outside = () => rows(at)
    (incoming, (l, r) => isPair(row(l), row(r)))
  }

  private def shown(store: MovingStore, address: Int): Option[Int] =
    if (address == NoAddress) None
    else if (address == Incoming.Outside) Some(store.outside().value)
    else Some(store.at(address).value)

  private def drain(batch: MicroBatch, store: MovingStore): Seq[Output] = {
    val out = mutable.ArrayBuffer.empty[Output]
    while (batch.next()) out += ((shown(store, batch.left), shown(store, batch.right)))
    assert(!batch.next(), "a batch that is over went on")
    out.toSeq
  }

  private def toTheEnd(batch: MicroBatch, store: MovingStore): Seq[Output] = {
    val joined = drain(batch, store)
    batch.expire()
    joined ++ drain(batch, store)
  }

  private def contentOf(store: MovingStore): Seq[(Int, Boolean)] =
    store.content.map { case (row, matched) => row.value -> matched }.sorted

  /** Each left row with a partner comes out once. */
  private def joinedLeft(left: Seq[Row], pairs: Seq[Output]): Seq[Option[Int]] = {
    val matched = pairs.map(_._1).toSet
    left.map(row => Option(row.value)).filter(matched).sortBy(_.toString)
  }
}
