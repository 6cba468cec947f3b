package shedjoin.state

import java.util.concurrent.atomic.{AtomicBoolean, AtomicLong}

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.Seeded
import shedjoin.core.join.{JoinKind, Reach}

class OpenFilesSuite extends AnyFunSuite with Seeded {
  import Histories._

  private val tasks = 4

  test(
    "files take what some tasks and one thread of maintenance do, however many partitions there are, and nothing after"
  ) {
    val random = Seeded.random(seeds(1).head)
    val partitions = Vector.fill(20)(new VersionedState(new MemoryFiles, StateSettings(16L << 20, 2, 3)))
    val done = new AtomicBoolean
    val most = new AtomicLong
    def note(): Unit = most.accumulateAndGet(OpenFiles.bytes, (a, b) => math.max(a, b)): Unit
    val watching = new Thread(() => while (!done.get) note())
    val maintaining = new Thread(() => while (!done.get) partitions.foreach(_.maintain()))
    val failures = new java.util.concurrent.ConcurrentLinkedQueue[Throwable]
    val histories = partitions.map(_ => batches(random, 12, 200, 50, 500))
    def run(task: Int): Unit =
      try
        partitions.indices.filter(_ % tasks == task).foreach { number =>
          histories(number).zipWithIndex.foreach { case (batch, version) =>
            // Half of the partitions go back two versions now and then, and so read their files.
            val back = if (number % 2 == 0 || version < 2) 0 else version % 3
            if (back == 2) partitions(number).open(StateVersion(version - 2L, None)).abort()
            val attempt = partitions(number).open(StateVersion(version.toLong, None))
            runBatch(attempt.state, batch, shapeOf(JoinKind.Inner, Reach.Everything, batch.bound))
            note()
            attempt.commit()
            note()
          }
        }
      catch { case e: Throwable => failures.add(e): Unit }
    val working = (0 until tasks).map(task => new Thread(() => run(task)))
    val threads = watching +: maintaining +: working
    threads.foreach(_.start())
    working.foreach(_.join())
    done.set(true)
    threads.foreach(_.join())
    assert(failures.isEmpty, failures)
    assert(most.get >= Frames.writerBytes && most.get <= tasks * OpenFiles.taskBytes + OpenFiles.maintenanceBytes)
    assert(OpenFiles.bytes == 0)
  }

  test("files that are damaged, cancelled or cut short are closed too") {
    histories(60) { random =>
      val files = new MemoryFiles
      val state = new VersionedState(files, StateSettings(16L << 20, 2, 3))
      batches(random, 4, 100, 50, 500).zipWithIndex.foreach { case (batch, version) =>
        val attempt = state.open(StateVersion(version.toLong, None))
        runBatch(attempt.state, batch, shapeOf(JoinKind.Inner, Reach.Everything, batch.bound))
        if (random.nextBoolean()) attempt.commit(): Unit
        else {
          attempt.abort()
          val again = state.open(StateVersion(version.toLong, None))
          runBatch(again.state, batch, shapeOf(JoinKind.Inner, Reach.Everything, batch.bound))
          again.commit(): Unit
        }
      }
      val name = StateVersion(1L + random.nextInt(4), None).delta
      val bytes = files.content.get(name)
      bytes(random.nextInt(bytes.length)) = (bytes(random.nextInt(bytes.length)) ^ 0x55).toByte
      try new VersionedState(files, StateSettings(1L << 20, 2, 3)).open(StateVersion(4, None)).abort()
      catch { case _: DamagedStateFile => () }
      assert(OpenFiles.bytes == 0)
    }
  }
}
