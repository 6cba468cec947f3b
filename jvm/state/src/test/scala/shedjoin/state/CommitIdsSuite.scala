package shedjoin.state

import java.io.IOException
import java.util.UUID

import scala.collection.mutable
import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.Seeded
import shedjoin.core.join.JoinShape

/** Checkpoint format 2 in trouble: the driver says by its id which commit of a version counts, whatever else was written. */
class CommitIdsSuite extends AnyFunSuite with Seeded {
  import Histories._

  private val settings = StateSettings(StateSettings.Unlimited, deltasPerSnapshot = 3, versionsToRetain = 100)

  private type Content = Map[(Int, TestRow, Boolean), Int]

  /** A batch by an executor on top of `from`, committed under an id of its own. */
  private def attempt(
      executor: VersionedState,
      from: StateVersion,
      batch: Batch,
      shape: JoinShape,
      random: Random
  ): StateVersion = {
    val attempt = executor.open(from, nextUid = Some(new UUID(random.nextLong(), random.nextLong())))
    try {
      runBatch(attempt.state, batch, shape)
      attempt.commit()
    } finally attempt.abort()
  }

  private def contentAt(files: StateFiles, version: StateVersion): Content =
    content(new VersionedState(files, settings).open(version).state)

  /** A partition on two executors, and the driver, which knows the commits that count. */
  final private class Partition(random: Random) {
    private val files = new MemoryFiles
    private val executors = Array.fill(2)(new VersionedState(files, settings))
    private val naive = new Naive
    private val kind = someKind(random)
    private val reach = someReach(random)
    private var last = StateVersion.Empty
    private val counted = mutable.LinkedHashMap.empty[StateVersion, Content]

    def run(batch: Batch): Unit = {
      val shape = shapeOf(kind, reach, batch.bound)
      val base = last
      trouble(base, batch, shape)
      val one = random.nextInt(2)
      last = attempt(executors(one), base, batch, shape, random)
      naive.run(batch, shape)
      counted(last) = naive.content
      if (random.nextInt(3) == 0) attempt(executors(1 - one), base, other(batch), shape, random)
      if (random.nextInt(3) == 0) executors(random.nextInt(2)) = new VersionedState(files, settings)
      if (random.nextBoolean()) executors(random.nextInt(2)).maintain()
    }

    /** What happens before the attempt that counts. */
    private def trouble(base: StateVersion, batch: Batch, shape: JoinShape): Unit = random.nextInt(5) match {
      case 0 => failing(base, batch, shape)
      case 1 => attempt(executors(random.nextInt(2)), base, other(batch), shape, random)
      case 2 =>
        // The process stops between writing the delta and reporting it, or in mid-batch.
        val one = random.nextInt(2)
        if (random.nextBoolean()) attempt(executors(one), base, batch, shape, random)
        else runBatch(executors(one).open(base).state, batch, shape)
        executors(one) = new VersionedState(files, settings)
      case _ => ()
    }

    /** The rows again, or others: a losing attempt must not be mixed up with the one that counts. */
    private def other(batch: Batch): Batch = if (random.nextBoolean()) batch else Batch(batch.right, Nil, batch.bound)

    private def failing(base: StateVersion, batch: Batch, shape: JoinShape): Unit = {
      val before = files.list().toSet
      val disk = new FailingFiles(files, failAfterBytes = random.nextInt(800))
      try attempt(new VersionedState(disk, settings), base, batch, shape, random)
      catch { case e: IOException => assert(e.getMessage == FailingFiles.Message) }
      if (disk.failed) assert(files.list().toSet == before)
    }

    def check(): Unit = {
      executors.foreach(executor => assert(content(executor.open(last).state) == naive.content))
      counted.foreach { case (version, content) => assert(contentAt(files, version) == content, s"$version") }
    }
  }

  test("each commit that counts is restored by its id, whatever other attempts failed, stopped or lost beside it") {
    histories(60) { random =>
      val partition = new Partition(random)
      batches(random, 10, 20, 5, 60).foreach(partition.run)
      partition.check()
    }
  }

  test("versions of one number under two ids are told apart, in memory too") {
    histories(20) { random =>
      val files = new MemoryFiles
      val Seq(one, other) = Seq.fill(2)(new VersionedState(files, settings)): @unchecked
      val shape = shapeOf(someKind(random), someReach(random), JoinShape.NoBound)
      val rows = batches(random, 3, 20, 5, 60)
      val first = attempt(one, StateVersion.Empty, rows.head, shape, random)
      val second = attempt(other, StateVersion.Empty, rows(1), shape, random)
      val contents = Seq(first, second).map(version => version -> contentAt(files, version)).toMap
      Seq(first, second).foreach { asked =>
        attempt(one, first, rows(2), shape, random)
        val open = one.open(asked)
        assert(content(open.state) == contents(asked))
        open.abort()
      }
    }
  }

  test("a commit that fails at any byte leaves no file and no trace, in memory and for who starts anew") {
    val random = new Random(3)
    val shape = shapeOf(kinds.head, someReach(random), JoinShape.NoBound)
    val two = batches(random, 2, 12, 5, 60)
    val (first, second) = (two.head, two.last)
    val files = new MemoryFiles
    val base = attempt(new VersionedState(files, settings), StateVersion.Empty, first, shape, random)
    val before = contentAt(files, base)
    val whole = files.copy()
    val next = attempt(new VersionedState(whole, settings), base, second, shape, random)
    val after = contentAt(whole, next)
    whole.content.get(next.delta).indices.foreach { bytes =>
      val copy = files.copy()
      val disk = new FailingFiles(copy, failAfterBytes = bytes)
      val state = new VersionedState(disk, settings)
      intercept[IOException](attempt(state, base, second, shape, random))
      assert(disk.list() == files.list() && contentAt(disk, base) == before, s"after $bytes bytes")
      assert(copy.pending.get <= 0, s"a file was neither committed nor cancelled after $bytes bytes")
      disk.mend()
      val mended = attempt(state, base, second, shape, random)
      assert(contentAt(disk, mended) == after, s"after $bytes bytes")
    }
  }
}
