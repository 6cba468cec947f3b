package shedjoin.state

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.join.{JoinKind, JoinShape}
import shedjoin.core.{Budget, Seeded}

class MaintenanceSuite extends AnyFunSuite with Seeded {
  import Histories._

  private def settings(every: Int, retain: Int) =
    StateSettings(StateSettings.Unlimited, deltasPerSnapshot = every, versionsToRetain = retain)

  private type Content = Map[Int, (Int, TestRow, Boolean)]

  /** Commits `count` versions, calling `between` after each, and returns their contents. */
  private def history(files: StateFiles, count: Int, settings: StateSettings, random: Random)(
      between: VersionedState => Unit
  ): Vector[Content] = {
    val state = new VersionedState(files, settings)
    val reach = someReach(random)
    batches(random, count, 12, 5, 60).zipWithIndex.map { case (batch, i) =>
      val attempt = state.open(StateVersion(i.toLong, None))
      val open = attempt.state
      runBatch(open, batch, shapeOf(JoinKind.FullOuter, reach, batch.bound))
      random.shuffle(allIds(open)).take(3).foreach(open.remove)
      val content = contentById(open)
      attempt.commit()
      between(state)
      content
    }.toVector
  }

  private def contentAt(files: StateFiles, number: Long): Content = {
    val state = new VersionedState(files, settings(100, 100))
    contentById(state.open(StateVersion(number, None)).state)
  }

  test("each version that is to be retained can be opened, and older files are deleted") {
    histories(150) { random =>
      val (every, retain) = (1 + random.nextInt(6), random.nextInt(8))
      val files = new MemoryFiles
      var committed = 0L
      val contents = history(files, 24, settings(every, retain), random) { state =>
        committed += 1
        if (random.nextInt(4) > 0) state.maintain()
      }
      // What maintenance knows as settled is the version that the last batch began with.
      val settled = committed - 1
      (math.max(1, settled - retain) to committed).foreach(v =>
        assert(contentAt(files, v) == contents(v.toInt - 1), s"v$v")
      )
      val oldest = files.list().flatMap(StateVersion.parse(_)).map(_._1.number).min
      assert(oldest >= settled - retain - 3 * every - 8, s"files of version $oldest are still there at $settled")
    }
  }

  test("with a maintenance a batch, no file is kept that no retained version needs") {
    histories(60) { random =>
      val (every, retain) = (1 + random.nextInt(4), random.nextInt(6))
      val files = new MemoryFiles
      history(files, 20, settings(every, retain), random)(_.maintain())
      val settled = 19L
      val needed = (math.max(1, settled - retain) to 20L).flatMap { v =>
        new Lineage(files).filesOf(StateVersion(v, None))
      }.toSet
      val base = files.list().flatMap(StateVersion.parse(_)).collect { case (v, true) => v.number }.min
      assert(base <= settled - retain && base > settled - retain - every, s"$base, $every, $retain")
      // A delta beside its snapshot is no longer needed, and costs nothing to rebuild.
      val spare = files.list().toSet.diff(needed).flatMap(StateVersion.parse(_)).map(_._1)
      assert(spare.forall(v => files.exists(v.snapshot)), s"$spare are needed by nobody")
    }
  }

  test("files that were begun by killed processes go away with the versions that they were to be of, not before") {
    histories(60) { random =>
      val (every, retain) = (1 + random.nextInt(4), random.nextInt(6))
      val files = new MemoryFiles
      var committed = 0L
      history(files, 24, settings(every, retain), random) { state =>
        committed += 1
        Seq("delta", "snapshot").foreach(kind => if (random.nextBoolean()) files.begin(s"$committed.$kind"))
        val before = files.list().toSet
        state.maintain()
        val gone = before -- files.list()
        assert(gone.flatMap(versionOf(files, _)).forall(_ <= committed - 1 - retain), s"$gone at $committed")
      }
      val base = files.list().flatMap(StateVersion.parse(_)).collect { case (v, true) => v.number }.min
      assert(files.list().flatMap(versionOf(files, _)).forall(_ >= base))
    }
  }

  private def versionOf(files: MemoryFiles, name: String): Option[Long] =
    StateVersion.parse(files.nameToBe(name).getOrElse(name)).map(_._1.number)

  test("a budget without room for a snapshot leaves the deltas, which stay usable, and nothing half written") {
    histories(60) { random =>
      val files = new MemoryFiles
      val contents = history(files, 8, settings(100, 100), random)(_ => ())
      val before = files.list().toSet
      (0 to 40).foreach { step =>
        val budget = new Budget(step * 40L)
        new StateMaintenance(files, settings(1, 100)).run(StateVersion(8, None), budget)
        assert(budget.usedBytes == 0, "maintenance keeps memory")
        if (!files.exists("8.snapshot")) assert(files.list().toSet == before)
        assert(contentAt(files, 8) == contents(7))
      }
      (1L to 8L).foreach(v => assert(contentAt(files, v) == contents(v.toInt - 1)))
    }
  }

  test("an executor that the partition has left has nothing to maintain, and deletes nothing") {
    val files = new MemoryFiles
    val random = new Random(3)
    val left = new VersionedState(files, settings(2, 3))
    var begun = Option.empty[Attempt]
    history(files, 14, settings(2, 3), random) { state =>
      if (files.exists("2.delta") && begun.isEmpty) begun = Some(left.open(StateVersion(2, None)))
      state.maintain()
    }
    begun.foreach(_.abort())
    assert(!files.exists("2.delta") && !files.exists("2.snapshot"))
    val before = files.list().toSet
    left.maintain()
    assert(files.list().toSet == before)
  }

  test("maintenance beside a task never has the task's memory cleaned for it") {
    val files = new MemoryFiles
    val state = new VersionedState(files, settings(100, 100))
    val attempt = state.open(StateVersion.Empty)
    val open = attempt.state
    val shape = JoinShape(
      JoinKind.Inner,
      JoinShape.NoBound,
      JoinShape.NoBound,
      shedjoin.core.join.Reach.Everything,
      shedjoin.core.join.Reach.Everything
    )
    runBatch(open, Batch(Seq(TestRow(1, 1, 1, 20000)), Nil, 0), shape)
    attempt.commit()
    val full = new Budget(100000)
    full.reserve(99000)
    full.reclaimFrom(() => fail("the live state was asked to move its rows"))
    new StateMaintenance(files, settings(1, 100)).run(StateVersion(1, None), full)
    assert(!files.exists("1.snapshot") && full.usedBytes == 99000)
  }

  test("a snapshot that fails in the middle of its writing leaves no file and no memory") {
    val random = new Random(2)
    val files = new MemoryFiles
    history(files, 5, settings(100, 100), random)(_ => ())
    val before = files.list().toSet
    (0 until 30).foreach { after =>
      val failing = new FailingFiles(files, failAfterBytes = after * 40)
      val budget = Budget.unlimited
      try new StateMaintenance(failing, settings(1, 100)).run(StateVersion(5, None), budget)
      catch { case e: java.io.IOException => assert(e.getMessage == FailingFiles.Message) }
      assert(budget.usedBytes == 0 && files.pending.get == 0)
      if (failing.failed) assert(files.list().toSet == before)
      files.delete("5.snapshot")
    }
  }

  test("a delta that can not be written leaves the version before, and the attempt may be tried again") {
    (0 until 30).foreach { after =>
      val files = new MemoryFiles
      val random = new Random(4)
      val contents = history(files, 2, settings(100, 100), random)(_ => ())
      val failing = new FailingFiles(files, failAfterBytes = after * 30)
      val state = new VersionedState(failing, settings(100, 100))
      val batch = batches(random, 1, 40, 5, 60).head
      val shape = shapeOf(JoinKind.FullOuter, someReach(random), batch.bound)
      val attempt = state.open(StateVersion(2, None))
      val open = attempt.state
      runBatch(open, batch, shape)
      val content = contentById(open)
      try attempt.commit()
      catch { case e: java.io.IOException => assert(e.getMessage == FailingFiles.Message) }
      attempt.abort()
      assert(files.exists("3.delta") != failing.failed)
      if (failing.failed) {
        assert(contentById(open) == contents(1))
        failing.mend()
        val again = state.open(StateVersion(2, None))
        runBatch(again.state, batch, shape)
        again.commit()
      }
      assert(contentAt(files, 3) == content)
    }
  }
}
