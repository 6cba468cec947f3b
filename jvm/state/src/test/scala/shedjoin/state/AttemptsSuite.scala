package shedjoin.state

import java.util.concurrent.atomic.AtomicReference

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.Seeded
import shedjoin.core.join._

/** Several attempts at one partition in one JVM. */
class AttemptsSuite extends AnyFunSuite with Seeded {
  import Histories._

  private def settings(busyTimeoutMs: Long) =
    StateSettings(StateSettings.Unlimited, deltasPerSnapshot = 3, versionsToRetain = 4, busyTimeoutMs = busyTimeoutMs)

  private def version(number: Long): StateVersion = StateVersion(number, None)

  private def someBatch(random: Random): Batch = batches(random, 1, 20, 5, 60).head

  /** Runs `f` in a thread of its own, to its end, and throws here what it threw there. */
  private def inThread[A](f: => A): A = started(f)()

  private def started[A](f: => A): () => A = {
    val result = new AtomicReference[Either[Throwable, A]]
    val thread = new Thread(() =>
      result.set(
        try Right(f)
        catch { case e: Throwable => Left(e) }
      )
    )
    thread.start()
    () => {
      thread.join(30000)
      assert(result.get != null, "the thread hangs")
      result.get.fold(throw _, identity)
    }
  }

  /** Maintains `state` every 10 ms while `f` runs; what it throws fails the test. */
  private def withMaintenance[A](state: VersionedState)(f: => A): A = {
    val stop = new java.util.concurrent.CountDownLatch(1)
    val maintaining = started(while (!stop.await(10, java.util.concurrent.TimeUnit.MILLISECONDS)) state.maintain())
    try f
    finally {
      stop.countDown()
      maintaining()
    }
  }

  /** An attempt that takes a batch in up to some point, and can go on later. */
  final private class Begun(state: VersionedState, from: Long, batch: Batch, shape: JoinShape) {
    private val attempt = state.open(version(from))
    private val open = attempt.state
    private val step = batchOn(open, batch, shape)

    def begin(random: Random): Unit = random.nextInt(4) match {
      case 0 => ()
      case 1 => batch.left.foreach(stage(open, _))
      case _ =>
        var left = random.nextInt(15)
        while (left > 0 && step.next()) left -= 1
    }

    def goOn(): Unit = pulled(attempt, batch, shape)

    def finish(): Unit = {
      runBatch(open, batch, shape)
      commit()
    }

    def commit(): StateVersion = attempt.commit()
    def abort(): Unit = attempt.abort()
  }

  /** Runs a batch as an operator does: asks before each step whether the attempt still is to be worked on. */
  private def pulled(attempt: Attempt, batch: Batch, shape: JoinShape, atStep: () => Unit = () => ()): Seq[Output] =
    runBatch(
      attempt.state,
      batch,
      shape,
      beforeStep = () => {
        atStep()
        attempt.requireOpen()
      }
    )

  private val ways = Seq(
    "aborted by its own thread",
    "aborted late by another thread",
    "aborted by another thread, and goes on all the same"
  )

  ways.zipWithIndex.foreach { case (how, way) =>
    test(s"an attempt dropped in mid-iterator, $how, leaves nothing to the next one, beside maintenance") {
      histories(60) { random =>
        val files = new MemoryFiles
        dropped(new VersionedState(files, settings(20000)), way, random)
        assertNonePending(files)
      }
    }
  }

  /** Files are made on threads of their own, so one that is cancelled may be so a little later. */
  private def assertNonePending(files: MemoryFiles): Unit = {
    val deadline = System.nanoTime + 30000000000L
    while (files.pending.get > 0 && System.nanoTime < deadline) Thread.sleep(1)
    assert(files.pending.get == 0, "files were made, and neither committed nor cancelled")
  }

  private def dropped(state: VersionedState, way: Int, random: Random): Unit = withMaintenance(state) {
    val naive = new Naive
    val kind = kinds(random.nextInt(kinds.size))
    val reach = someReach(random)
    batches(random, 6, 20, 5, 60).zipWithIndex.foreach { case (batch, i) =>
      val shape = shapeOf(kind, reach, batch.bound)
      val first = new Begun(state, i.toLong, someBatch(random), shape)
      first.begin(random)
      val second = started {
        val attempt = state.open(version(i.toLong))
        val out = runBatch(attempt.state, batch, shape)
        attempt.state.checkInvariants()
        (attempt.state, out, attempt.commit())
      }
      way match {
        case 0 => first.abort()
        case 1 => inThread { Thread.sleep(2); first.abort() }
        case _ =>
          inThread(first.abort())
          intercept[StateClosed](first.goOn())
      }
      val (open, out, _) = second()
      assert(multiset(out) == multiset(naive.run(batch, shape)), s"batch $i")
      assert(content(open) == naive.content, s"batch $i")
      intercept[StateClosed](first.commit())
      first.abort()
      assert(content(open) == naive.content, s"batch $i, after the late calls of the first attempt")
    }
  }

  test("an attempt behind one that never ends fails typed, and the first may still commit") {
    val state = new VersionedState(new MemoryFiles, settings(50))
    val random = new Random(5)
    val shape = shapeOf(JoinKind.Inner, Reach.Everything, JoinShape.NoBound)
    withMaintenance(state) {
      (0L until 5L).foreach { i =>
        val first = new Begun(state, i, someBatch(random), shape)
        val e = intercept[StateBusy](inThread(new Begun(state, i, someBatch(random), shape)))
        assert(e.id == "SHEDJOIN_STATE_BUSY")
        first.finish()
      }
    }
  }

  test("back one version and on again is an undo: no file is read for it, and the result is the same") {
    histories(200) { random =>
      val files = new MemoryFiles
      val state = new VersionedState(files, settings(1000))
      val reach = someReach(random)
      val naive = new Naive
      batches(random, 6, 20, 5, 60).zipWithIndex.foreach { case (batch, i) =>
        val shape = shapeOf(JoinKind.FullOuter, reach, batch.bound)
        val expected = naive.run(batch, shape)
        var delta: Array[Byte] = null
        (0 to random.nextInt(3)).foreach { _ =>
          val attempt = state.open(version(i.toLong))
          assert(multiset(runBatch(attempt.state, batch, shape)) == multiset(expected))
          attempt.commit()
          val written = files.content.get(s"${i + 1}.delta")
          assert(delta == null || java.util.Arrays.equals(delta, written), "the delta of a repeated batch differs")
          delta = written
        }
      }
      assert(files.opened.get == 0, s"${files.opened.get} files were opened")
    }
  }

  test("any retained version can be gone back to and gone on from, and costs its files once") {
    val files = new MemoryFiles
    val state = new VersionedState(files, settings(1000))
    val random = new Random(8)
    val shape = shapeOf(JoinKind.LeftOuter, Reach(-30, 10), JoinShape.NoBound)
    val all = Seq.fill(9)(someBatch(random))
    all.zipWithIndex.foreach { case (batch, i) => new Begun(state, i.toLong, batch, shape).finish() }
    val deltas = all.indices.map(i => files.content.get(s"${i + 1}.delta"))
    Seq(3, 7, 1, 8, 5).foreach { from =>
      val before = files.opened.get
      new Begun(state, from.toLong, all(from), shape).finish()
      assert(files.opened.get - before <= from)
      assert(java.util.Arrays.equals(files.content.get(s"${from + 1}.delta"), deltas(from)))
    }
  }

  test("what is closed while written can not be committed, and whoever waits for it is told") {
    val files = new MemoryFiles
    val state = new VersionedState(files, settings(20000))
    val shape = shapeOf(JoinKind.Inner, Reach.Everything, JoinShape.NoBound)
    val random = new Random(1)
    new Begun(state, 0, someBatch(random), shape).finish()
    val writing = new Begun(state, 1, someBatch(random), shape)
    writing.begin(random)
    val waiting = started(new Begun(state, 1, someBatch(random), shape))
    Thread.sleep(20)
    state.close()
    intercept[StateClosed](writing.commit())
    intercept[StateClosed](waiting())
    intercept[StateClosed](new Begun(state, 1, someBatch(random), shape))
    writing.abort()
    state.maintain()
    assert(files.list() == Seq("1.delta"))
  }

  test("two executors take turns on one folder, one of them late: the same bytes, and the same content") {
    histories(100) { random =>
      val files = new MemoryFiles
      val executors = Seq.fill(2)(new VersionedState(files, settings(1000)))
      val naive = new Naive
      val kind = someKind(random)
      val reach = someReach(random)
      batches(random, 12, 20, 5, 60).zipWithIndex.foreach { case (batch, i) =>
        val shape = shapeOf(kind, reach, batch.bound)
        val (mine, other) = if (random.nextBoolean()) (executors(0), executors(1)) else (executors(1), executors(0))
        val late = if (random.nextInt(3) == 0) Some(new Begun(other, i.toLong, batch, shape)) else None
        val attempt = mine.open(version(i.toLong))
        val open = attempt.state
        val out = runBatch(open, batch.copy(left = random.shuffle(batch.left)), shape)
        assert(multiset(out) == multiset(naive.run(batch, shape)))
        assert(content(open) == naive.content)
        attempt.commit()
        val name = s"${i + 1}.delta"
        val bytes = files.content.get(name)
        if (random.nextBoolean()) mine.maintain()
        late.foreach(_.finish())
        assert(java.util.Arrays.equals(files.content.get(name), bytes), s"the late attempt wrote another $name")
        if (random.nextBoolean()) other.maintain()
      }
      val fresh = new VersionedState(files, settings(1000))
      assert(content(fresh.open(version(12)).state) == naive.content)
    }
  }
}
