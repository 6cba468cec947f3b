package shedjoin.state

import java.util.UUID

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.Seeded
import shedjoin.core.join.JoinKind

/** A checkpoint that was taken back some versions, and went on with other batches: what is left of the history that was
  * overtaken is neither read nor built on, and goes away in the end.
  */
class OvertakenHistorySuite extends AnyFunSuite with Seeded {
  import Histories._

  private type Content = Map[Int, (Int, TestRow, Boolean)]

  private def settings(every: Int, retain: Int) =
    StateSettings(StateSettings.Unlimited, deltasPerSnapshot = every, versionsToRetain = retain)

  /** A history in files: each version that counts, with its content. */
  final private class Run(val files: MemoryFiles, settings: StateSettings, withIds: Boolean, random: Random) {
    private val reach = someReach(random)
    private var state = new VersionedState(files, settings)
    private var history = Vector((StateVersion.Empty, Map.empty: Content))
    private var clock = 1000L

    /** The youngest version that a maintenance knows to be settled. */
    var settled = 0L

    def version: StateVersion = history.last._1
    def versions: Vector[(StateVersion, Content)] = history

    private def freshId(): Option[UUID] =
      if (withIds) Some(new UUID(random.nextLong(), random.nextLong())) else None

    /** Commits a batch; the content is kept apart from any state. */
    def batch(): Unit = {
      clock += 50
      val attempt = state.open(version, nextUid = freshId())
      fill(attempt.state)
      val content = contentById(attempt.state)
      settled = version.number
      history :+= ((attempt.commit(), content))
    }

    private def fill(open: JoinState): Unit = {
      val some = batches(random, 1, 10, 5, 60).head
      val moved = Batch(some.left.map(later), some.right.map(later), clock - 60)
      runBatch(open, moved, shapeOf(JoinKind.FullOuter, reach, moved.bound))
      random.shuffle(allIds(open)).take(2).foreach(open.remove)
    }

    private def later(row: TestRow): TestRow = if (row.time == Long.MaxValue) row else row.copy(time = row.time + clock)

    /** Another attempt at the batch that was last, which lost, if that began with a version from `oldest` on: its file
      * stays.
      */
    def loser(oldest: Long = 0): Unit = if (withIds && version.number > math.max(oldest, 0)) {
      val other = new VersionedState(files, settings)
      val attempt = other.open(history(history.size - 2)._1, nextUid = freshId())
      fill(attempt.state)
      attempt.commit()
    }

    def maintain(): Unit = state.maintain()

    /** Takes the checkpoint back, and restarts. */
    def back(by: Int): Unit = {
      history = history.dropRight(by)
      state.close()
      state = new VersionedState(files, settings)
    }

    def restart(): Unit = back(0)

    /** The content of a version as a fresh process reads it. */
    def read(version: StateVersion): Content =
      contentById(new VersionedState(files.copy(), settings).open(version).state)
  }

  for (withIds <- Seq(false, true))
    test(
      s"back and on with other batches, ${if (withIds) "with" else "without"} commit ids: each retained version is that of this history"
    ) {
      histories(250) { random =>
        val (every, retain) = (1 + random.nextInt(4), 1 + random.nextInt(6))
        val run = new Run(new MemoryFiles, settings(every, retain), withIds, random)
        // What maintenance may have deleted is known by the youngest version that it ever saw as settled.
        var settledMost = 0L
        def maintain(): Unit = {
          run.maintain()
          settledMost = math.max(settledMost, run.settled)
        }
        (1 to 30).foreach { _ =>
          random.nextInt(8) match {
            case 0 =>
              val by = 1 + random.nextInt(5)
              val target = run.version.number - by
              if (target >= settledMost - retain && target >= 0) run.back(by)
            case 1 => run.restart()
            case 2 => run.loser(settledMost - retain)
            case _ => run.batch()
          }
          if (random.nextInt(3) > 0) maintain()
          run.versions.foreach { case (version, content) =>
            if (version.number > 0 && version.number >= settledMost - retain)
              assert(run.read(version) == content, s"version ${version.number} of ${run.version.number}")
          }
        }
      }
    }

  for (withIds <- Seq(false, true))
    test(
      s"files of an overtaken history go away, ${if (withIds) "with" else "without"} commit ids, and those of attempts that lost"
    ) {
      histories(150) { random =>
        val (every, retain) = (1 + random.nextInt(4), 1 + random.nextInt(6))
        val run = new Run(new MemoryFiles, settings(every, retain), withIds, random)
        (1 to 12).foreach { _ =>
          run.batch()
          if (random.nextBoolean()) run.loser()
          if (random.nextBoolean()) run.maintain()
        }
        run.back(math.min(1 + random.nextInt(5), retain))
        val overtaken = run.files.list().toSet
        val from = run.version.number
        (1 to 12 + retain + 2 * every).foreach { _ =>
          run.batch()
          run.maintain()
          assert(run.read(run.version) == run.versions.last._2)
        }
        val oldest = run.files.list().flatMap(StateVersion.parse(_)).map(_._1.number).min
        assert(oldest > run.settled - retain - every, s"$oldest of ${run.settled}")
        if (withIds) assert(run.files.list().toSet.intersect(overtaken).isEmpty)
        assert(oldest > from)
      }
    }

  test("a restart at exactly the version of an overtaken snapshot reads this history's files, and few of them") {
    val run = new Run(new MemoryFiles, settings(3, 100), withIds = false, new Random(1))
    (1 to 9).foreach { _ => run.batch(); run.maintain() }
    val snapshots = run.files.list().flatMap(StateVersion.parse(_)).collect { case (v, true) => v }
    assert(snapshots.map(_.number).contains(6L), snapshots)
    run.back(4)
    run.batch()
    assert(run.version.number == 6 && run.files.exists("6.snapshot"))
    assert(run.read(run.version) == run.versions.last._2)
    run.batch()
    assert(run.read(run.version) == run.versions.last._2)
    run.batch()
    run.maintain()
    val opened = run.files.opened.get
    new Lineage(run.files).filesOf(run.version)
    assert(run.files.opened.get - opened <= 4, "files opened to find those of a version")
  }

  test("a snapshot of an overtaken version is written anew when its version comes again") {
    val run = new Run(new MemoryFiles, settings(2, 100), withIds = false, new Random(2))
    (1 to 5).foreach { _ => run.batch(); run.maintain() }
    val before = run.files.content.get("4.snapshot")
    assert(before != null)
    run.back(3)
    (1 to 3).foreach { _ => run.batch(); run.maintain() }
    assert(run.settled == 4)
    assert(!java.util.Arrays.equals(run.files.content.get("4.snapshot"), before))
    run.files.delete("5.delta")
    run.files.delete("4.delta")
    assert(run.read(StateVersion(4, None)) == run.versions(4)._2, "the snapshot is all there is")
  }
}
