package shedjoin.core.join

import scala.collection.mutable
import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.Seeded
import shedjoin.core.join.JoinStore.NoAddress
import shedjoin.core.join.MovingStore.Row

class JoinStepSuite extends AnyFunSuite with Seeded {

  private val kinds =
    Seq(JoinKind.Inner, JoinKind.LeftOuter, JoinKind.RightOuter, JoinKind.FullOuter, JoinKind.LeftSemi)

  private type Output = (Option[Int], Option[Int])

  private def row(store: MovingStore, address: Int): Option[Int] =
    if (address == NoAddress) None else Some(store.at(address).value)

  private def drain(step: JoinStep, store: MovingStore): Seq[Output] = {
    val out = mutable.ArrayBuffer.empty[Output]
    while (step.next()) out += ((row(store, step.left), row(store, step.right)))
    assert(!step.next(), "a phase that is over went on")
    out.toSeq
  }

  private def someRow(random: Random, value: Int): Row = new Row(random.nextInt(3), random.nextInt(40).toLong, value)

  kinds.foreach { kind =>
    test(s"$kind: results are read where the rows lie after whatever the step did with them") {
      histories(1500) { random =>
        val store = new MovingStore
        val shape = JoinShape(kind, random.nextInt(30).toLong, random.nextInt(30).toLong, Reach(-9, 12), Reach(-12, 9))
        val step = new JoinStep(store, shape, (l, r) => (store.at(l).value + store.at(r).value) % 3 != 0)
        val isSemi = kind == JoinKind.LeftSemi
        val left, right = mutable.ArrayBuffer.empty[Row]
        def take(side: Int): Seq[Output] = {
          val all = if (side == Side.Left) left else right
          (1 to random.nextInt(12)).foreach { _ =>
            all += someRow(random, left.size + right.size)
            store.stage(all.last)
          }
          step.probe(side)
          drain(step, store)
        }
        val order = if (isSemi) Seq(Side.Right, Side.Left) else Seq(Side.Left, Side.Right)
        val joined = order.flatMap(take)
        val expected = for {
          l <- left.toSeq
          r <- right
          if isStoredFor(
            kind,
            shape,
            r
          ) && l.key == r.key && (l.value + r.value) % 3 != 0 && r.time >= l.time - 9 && r.time <= l.time + 12
        } yield (Option(l.value), Option(r.value))
        if (!isSemi) assert(joined.sortBy(_.toString) == expected.sortBy(_.toString))
        else assert(joined.map(_._1).sortBy(_.toString) == joinedLeft(left, expected))
        val storedBefore = store.content.size
        val nulls = Seq(Side.Left, Side.Right).flatMap { side =>
          step.expire(side)
          drain(step, store)
        }
        val met = expected.flatMap { case (l, r) => Seq(Side.Left -> l, Side.Right -> r) }.toSet
        def expires(side: Int)(row: Row): Boolean = row.time <= shape.bound(side)
        def unmet(side: Int)(row: Row): Boolean = !met(side -> Option(row.value))
        val lefts = if (kind.keepsLeft) left.filter(expires(Side.Left)).filter(unmet(Side.Left)) else Nil
        val rights = if (kind.keepsRight) right.filter(expires(Side.Right)).filter(unmet(Side.Right)) else Nil
        val alone = lefts.map(l => (Option(l.value), None)) ++ rights.map(r => (None, Option(r.value)))
        assert(nulls.sortBy(_.toString) == alone.sortBy(_.toString).toSeq)
        assert(step.stored - step.removed == store.content.size && storedBefore >= store.content.size)
        val stay = left.filter(row => !isSemi || unmet(Side.Left)(row)).filterNot(expires(Side.Left)) ++
          right.filterNot(expires(Side.Right))
        val marked = stay.map(row => row.value -> (kind.keeps(row.side) && !unmet(row.side)(row)))
        assert(store.content.map { case (row, matched) => row.value -> matched }.sorted == marked.sorted.toSeq)
      }
    }
  }

  /** In a left semi join right rows come first, and as in Spark those that expire with the batch are not stored. */
  private def isStoredFor(kind: JoinKind, shape: JoinShape, right: Row): Boolean =
    kind != JoinKind.LeftSemi || right.time > shape.rightBound

  /** Each left row with a partner comes out once. */
  private def joinedLeft(left: mutable.ArrayBuffer[Row], pairs: Seq[Output]): Seq[Option[Int]] = {
    val matched = pairs.map(_._1).toSet
    left.toSeq.map(row => Option(row.value)).filter(matched).sortBy(_.toString)
  }

  test("a left row that is stored comes out of a left semi join at its first match, and is counted as removed") {
    val store = new MovingStore
    val shape =
      JoinShape(JoinKind.LeftSemi, JoinShape.NoBound, JoinShape.NoBound, Reach.Everything, Reach.Everything)
    val step = new JoinStep(store, shape, PairCondition.Always)
    (0 until 4).foreach(value => store.stage(new Row(value % 2, 0, value)))
    step.probe(Side.Left)
    assert(drain(step, store).isEmpty && step.stored == 4)
    (4 until 6).foreach(value => store.stage(new Row(1, 0, value)))
    step.probe(Side.Right)
    assert(drain(step, store).flatMap(_._1).sorted == Seq(1, 3))
    assert(step.removed == 2 && store.content.map(_._1.value).sorted == Seq(0, 2, 4, 5))
  }

  test("without rows, and without bounds, a step has nothing to say") {
    val store = new MovingStore
    val shape =
      JoinShape(JoinKind.FullOuter, JoinShape.NoBound, JoinShape.NoBound, Reach.Everything, Reach.Everything)
    val step = new JoinStep(store, shape, PairCondition.Always)
    assert(!step.next(), "no phase is open")
    Seq(Side.Left, Side.Right).foreach { side =>
      step.probe(side)
      assert(!step.next())
      step.expire(side)
      assert(!step.next())
    }
    store.stage(new Row(1, Long.MinValue, 1))
    step.probe(Side.Left)
    assert(!step.next())
    step.expire(Side.Left)
    assert(!step.next() && store.content.size == 1, "without a bound nothing expires, whatever its time")
  }

  test("rows at the ends of time meet those in reach, and no others") {
    val times = Seq(Long.MinValue, Long.MinValue + 1, -5L, 0L, 5L, Long.MaxValue - 1, JoinShape.NoTime)
    val store = new MovingStore
    val shape = JoinShape(JoinKind.Inner, JoinShape.NoBound, JoinShape.NoBound, Reach(-5, 5), Reach(-5, 5))
    val step = new JoinStep(store, shape, PairCondition.Always)
    times.zipWithIndex.foreach { case (time, value) => store.stage(new Row(1, time, value)) }
    step.probe(Side.Left)
    drain(step, store)
    times.zipWithIndex.foreach { case (time, value) =>
      store.stage(new Row(1, time, 100 + value))
      step.probe(Side.Right)
      val met = drain(step, store).flatMap(_._1).toSet
      val near = times.indices.filter(i => BigInt(times(i)) - time <= 5 && BigInt(time) - times(i) <= 5).toSet
      val everything = time == JoinShape.NoTime
      assert(if (everything) met == times.indices.toSet else near.diff(met).isEmpty && met.diff(near).subsetOf(Set(6)))
    }
  }
}
