package shedjoin.state

import java.util.UUID
import java.util.concurrent.CountDownLatch
import java.util.concurrent.atomic.AtomicReference

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.Seeded
import shedjoin.core.join._

/** Attempts of one task that several threads work on, and several attempts of one task. */
class SharedAttemptSuite extends AnyFunSuite with Seeded {
  import Histories._

  private val kinds = Seq(JoinKind.Inner, JoinKind.LeftOuter, JoinKind.FullOuter, JoinKind.LeftSemi)

  private def settings(budgetBytes: Long = StateSettings.Unlimited) =
    StateSettings(budgetBytes, deltasPerSnapshot = 3, versionsToRetain = 4, busyTimeoutMs = 20000)

  private def version(number: Int): StateVersion = StateVersion(number.toLong, None)

  /** Runs a batch as an operator does: asks before each step whether the attempt still is to be worked on. */
  private def pull(attempt: Attempt, batch: Batch, shape: JoinShape, before: () => Unit = () => ()): Seq[Output] = {
    val step = () => { before(); attempt.requireOpen() }
    runBatch(attempt.state, batch, shape, step)
  }

  /** A thread that pulls `attempt` and commits it; what comes of it can be asked for at its end. */
  final private class Puller(attempt: Attempt, batch: Batch, shape: JoinShape, before: () => Unit = () => ()) {
    private val result = new AtomicReference[Either[Throwable, StateVersion]]
    private val thread = new Thread(() =>
      result.set(
        try {
          pull(attempt, batch, shape, before)
          Right(attempt.commit())
        } catch { case e: Throwable => Left(e) }
      )
    )
    thread.start()

    def end(): Either[Throwable, StateVersion] = {
      thread.join(30000)
      assert(result.get != null, "the thread hangs")
      result.get
    }
  }

  private def isClosed(result: Either[Throwable, StateVersion]): Boolean =
    result.left.exists(_.isInstanceOf[StateClosed])

  test("a thread pulls while the one that opened aborts, at any moment: the next attempt is exact") {
    var aborted = 0
    histories(150) { random =>
      val state = new VersionedState(new MemoryFiles, settings())
      val naive = new Naive
      val (kind, reach) = (kinds(random.nextInt(4)), someReach(random))
      batches(random, 4, 60, 5, 60).zipWithIndex.foreach { case (batch, i) =>
        val shape = shapeOf(kind, reach, batch.bound)
        val first = state.open(version(i))
        val puller = new Puller(first, batch, shape, () => if (random.nextInt(8) == 0) Thread.`yield`())
        spin(random.nextInt(100000))
        first.abort()
        val second = state.open(version(i))
        assert(multiset(pull(second, batch, shape)) == multiset(naive.run(batch, shape)), s"batch $i")
        second.commit()
        second.state.checkInvariants()
        val late = puller.end()
        assert(late.isRight || isClosed(late), late)
        if (isClosed(late)) aborted += 1
        assert(content(second.state) == naive.content, s"batch $i, after the late thread")
      }
    }
    assert(aborted > 100, s"only $aborted of 600 threads were overtaken")
  }

  private def spin(times: Int): Unit = {
    var left = times
    while (left > 0) {
      Thread.onSpinWait()
      left -= 1
    }
  }

  test("a thread that pulls for the first time after the abort stages nothing into the next attempt") {
    histories(60) { random =>
      val state = new VersionedState(new MemoryFiles, settings())
      val naive = new Naive
      batches(random, 4, 20, 5, 60).zipWithIndex.foreach { case (batch, i) =>
        val shape = shapeOf(JoinKind.LeftOuter, Reach.Everything, batch.bound)
        val first = state.open(version(i))
        first.abort()
        val second = state.open(version(i))
        assert(isClosed(new Puller(first, batch, shape).end()))
        assert(multiset(pull(second, batch, shape)) == multiset(naive.run(batch, shape)))
        assert(isClosed(new Puller(first, batch, shape).end()))
        second.commit()
        assert(content(second.state) == naive.content)
      }
    }
  }

  test("an abort rolls back what its own thread did, and leaves a state to the thread that pulled") {
    val files = new MemoryFiles
    val state = new VersionedState(files, settings())
    val random = new Random(3)
    val shape = shapeOf(JoinKind.Inner, Reach.Everything, JoinShape.NoBound)
    val batch = batches(random, 1, 40, 5, 60).head
    commit(state, 0, batch, shape)
    val own = state.open(version(1))
    pull(own, batch, shape)
    own.abort()
    assert(new Puller(state.open(version(1)), batch, shape).end().isRight, "another thread may pull and commit")
    assert(files.opened.get == 0 && state.droppedBytes == 0, "nothing was read or given up")
    val shared = state.open(version(2))
    val (inside, goOn) = (new CountDownLatch(1), new CountDownLatch(1))
    val puller = new Puller(shared, batch, shape, waitOnce(shared, inside, goOn))
    inside.await()
    shared.abort()
    commit(state, 2, batch, shape)
    assert(files.opened.get > 0, "the state was left to the thread that pulls")
    goOn.countDown()
    assert(isClosed(puller.end()))
  }

  test("a dropped state is reported while a thread can reach it, and is not in the share of the next attempt") {
    val share = 4L * 1024 * 1024
    val state = new VersionedState(new MemoryFiles, settings(share))
    val shape = shapeOf(JoinKind.Inner, Reach.Everything, JoinShape.NoBound)
    // Of one side, some 2 of the 4 MB: two of them would not fit one share.
    val large = Batch(Seq.tabulate(100)(i => TestRow(i, i.toLong, i, 20000)), Nil, 0)
    commit(state, 0, large, shape)
    var first = state.open(version(1))
    val used = first.state.budget.usedBytes
    val inside = new CountDownLatch(1)
    val goOn = new CountDownLatch(1)
    var puller = new Puller(first, large.copy(left = large.left.take(1)), shape, waitOnce(first, inside, goOn))
    inside.await()
    first.abort()
    val second = state.open(version(1))
    assert(second.state.budget.usedBytes < share / 2 + share / 4)
    assert(state.droppedBytes >= used, s"${state.droppedBytes} bytes reported, $used given up")
    second.abort()
    goOn.countDown()
    assert(isClosed(puller.end()))
    puller = null
    first = null
    assert(comesTo(0)(state.droppedBytes))
  }

  /** Lets a thread's first step in, and holds it there. */
  private def waitOnce(attempt: Attempt, inside: CountDownLatch, goOn: CountDownLatch): () => Unit = {
    var isFirst = true
    () =>
      if (isFirst) {
        isFirst = false
        attempt.requireOpen()
        inside.countDown()
        goOn.await()
      }
  }

  private def comesTo(expected: Long)(value: => Long): Boolean = {
    val deadline = System.nanoTime + 30000000000L
    while (value != expected && System.nanoTime < deadline) {
      System.gc()
      Thread.sleep(10)
    }
    value == expected
  }

  private def commit(state: VersionedState, from: Int, batch: Batch, shape: JoinShape): Unit = {
    val attempt = state.open(version(from))
    pull(attempt, batch, shape)
    attempt.commit()
  }

  test("a task that opens a version again while it works on it gets a copy: same rows, same file, in any order") {
    for (format2 <- Seq(false, true)) histories(100) { random =>
      val files = new MemoryFiles
      val state = new VersionedState(files, settings())
      val naive = new Naive
      val (kind, reach) = (kinds(random.nextInt(4)), someReach(random))
      var at = StateVersion.Empty
      batches(random, 6, 20, 5, 60).zipWithIndex.foreach { case (batch, i) =>
        val shape = shapeOf(kind, reach, batch.bound)
        val expected = multiset(naive.run(batch, shape))
        val uid = Option.when(format2)(new UUID(random.nextLong(), i.toLong))
        val task = Long.box(1000L + i)
        val uses = Seq.fill(1 + random.nextInt(3))(state.open(at, task, uid))
        assert(uses.map(_.isCopy) == uses.indices.map(_ > 0))
        val unused = Option.when(random.nextInt(3) == 0)(state.open(at, task, uid))
        val bytes = random.shuffle(uses).map { use =>
          assert(multiset(pull(use, batch, shape)) == expected, s"batch $i")
          val next = use.commit()
          assert(next == StateVersion(i + 1L, uid) && content(use.state) == naive.content)
          files.content.get(next.delta).toSeq
        }
        assert(bytes.distinct.size == 1, "the files differ")
        assert(uses.count(_.reportsRows) == 1, "rows are reported once")
        assert(uses.forall(_.reportsMemory), "each copy takes memory")
        unused.foreach(_.abort())
        // Once more, one after the other: what is in memory is undone and reported no more.
        val again = state.open(at, task, uid)
        assert(!again.isCopy && multiset(pull(again, batch, shape)) == expected)
        at = again.commit()
        assert(!again.reportsRows && !again.reportsMemory)
      }
      assert(content(new VersionedState(files, settings()).open(at).state) == naive.content)
    }
  }

  test("a copy has a share of its own, in which a full state fits") {
    val share = 400000
    val state = new VersionedState(new MemoryFiles, settings(share))
    val shape = shapeOf(JoinKind.Inner, Reach.Everything, JoinShape.NoBound)
    commit(state, 0, Batch(Seq.tabulate(9)(i => TestRow(i, i.toLong, i, 10000)), Nil, 0), shape)
    val task = new Object
    val batch = Batch(Nil, Seq(TestRow(3, 3, 1, 0)), 0)
    val uses = Seq.fill(3)(state.open(version(1), task))
    uses.foreach(use => assert(pull(use, batch, shape).size == 1 && use.state.budget.usedBytes <= share))
    assert(uses.map(_.state.budget).distinct.size == 3)
    uses.foreach(_.abort())
  }

  test("other tasks wait for the one in place, and take their turn though copies of its task still work") {
    val state = new VersionedState(new MemoryFiles, settings().copy(busyTimeoutMs = 50))
    val shape = shapeOf(JoinKind.Inner, Reach.Everything, JoinShape.NoBound)
    val batch = batches(new Random(4), 1, 20, 5, 60).head
    val task = new Object
    val (inPlace, copy) = (state.open(version(0), task), state.open(version(0), task))
    intercept[StateBusy](state.open(version(0)))
    inPlace.abort()
    val other = state.open(version(0))
    val out = pull(other, batch, shape)
    assert(multiset(pull(copy, batch, shape)) == multiset(out))
    copy.commit()
    other.commit()
    assert(other.reportsRows && copy.reportsRows, "each task reports its rows")
  }

  test("closing ends every attempt, copies too") {
    val state = new VersionedState(new MemoryFiles, settings())
    val task = new Object
    val uses = Seq.fill(3)(state.open(version(0), task))
    state.close()
    uses.foreach { use =>
      intercept[StateClosed](use.requireOpen())
      intercept[StateClosed](use.commit())
      use.abort()
    }
  }
}
