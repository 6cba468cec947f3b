package shedjoin.state

import java.util.UUID

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.Seeded
import shedjoin.core.join._

/** The contract of a partition's state over its versions. */
class VersionedStateSuite extends AnyFunSuite with Seeded {
  import Histories._

  private def settings(every: Int) =
    StateSettings(StateSettings.Unlimited, deltasPerSnapshot = every, versionsToRetain = 100, busyTimeoutMs = 5000)

  private def commitBatch(
      state: VersionedState,
      version: StateVersion,
      batch: Batch,
      shape: JoinShape,
      uid: Option[UUID],
      removed: Seq[TestRow],
      inRows: KeysInRows
  ): (StateVersion, Seq[Output]) = {
    val attempt = state.open(version, nextUid = uid)
    val open = attempt.state
    open.keysInRows = inRows
    val out = runBatch(open, batch, shape)
    allIds(open).filter(id => removed.contains(rowAt(open, open.address(id)))).foreach(open.remove)
    open.checkInvariants()
    (attempt.commit(), out)
  }

  private def contentAt(state: VersionedState, version: StateVersion): Map[Int, (Int, TestRow, Boolean)] = {
    val attempt = state.open(version)
    val content = contentById(attempt.state)
    attempt.abort()
    content
  }

  for (every <- Seq(1, 3, 10); format2 <- Seq(false, true))
    test(
      s"snapshot every $every, ${if (format2) "with" else "without"} commit ids: a restored state goes on like the one never restored"
    ) {
      histories(120) { random =>
        val kind = someKind(random)
        val reach = someReach(random)
        val inRows = Seq(KeysInRows.Unknown, InRows, InRows.copy(right = KeyInRow.Unknown))(random.nextInt(3))
        val files = new MemoryFiles
        val live = new VersionedState(files, settings(every))
        var version = StateVersion.Empty
        batches(random, 14, 20, 1 + random.nextInt(8), 60, someWide = !inRows.isKnown, largest = 70000).foreach {
          batch =>
            val shape = shapeOf(kind, reach, batch.bound)
            val uid = if (format2) Some(new UUID(random.nextLong(), random.nextLong())) else None
            val removed = random.shuffle(contentAt(live, version).values.map(_._2).toSeq).take(random.nextInt(3))
            val copy = files.copy()
            val restored = new VersionedState(copy, settings(every))
            val shuffled = batch.copy(left = random.shuffle(batch.left), right = random.shuffle(batch.right))
            val (next, out) = commitBatch(live, version, batch, shape, uid, removed, inRows)
            val (_, again) = commitBatch(restored, version, shuffled, shape, uid, removed, inRows)
            assert(multiset(out) == multiset(again))
            assert(
              java.util.Arrays.equals(files.content.get(next.delta), copy.content.get(next.delta)),
              "deltas differ"
            )
            assert(contentAt(live, next) == contentAt(restored, next))
            assert(contentAt(new VersionedState(files, settings(every)), next) == contentAt(live, next))
            version = next
            live.maintain()
        }
        assert(files.list().exists(_.endsWith(".snapshot")))
      }
    }

  test("a snapshot of files that leave out keys in several ways has every key") {
    val other = KeyInRow(8, Vector(0), Vector(161))
    val ways = Seq(KeysInRows.Unknown, InRows, KeysInRows(other, other), InRows.copy(right = KeyInRow.Unknown))
    histories(100) { random =>
      val files = new MemoryFiles
      val live = new VersionedState(files, settings(1 + random.nextInt(4)))
      var version = StateVersion.Empty
      batches(random, 8, 12, 5, 1000, someWide = false).foreach { batch =>
        val shape = shapeOf(JoinKind.FullOuter, Reach.Everything, batch.bound)
        version = commitBatch(live, version, batch, shape, None, Nil, ways(random.nextInt(ways.size)))._1
        live.maintain()
        val read = new VersionedState(files.copy(), settings(1)).open(version).state
        allIds(read).foreach { id =>
          val key = read.key(id)
          val from = read.keyBytes.offset(key)
          val bytes = read.keyBytes.page(key).slice(from, from + read.keyBytes.length(key))
          assert(bytes.sameElements(rowAt(read, read.address(id)).keyBytes))
        }
        assert(contentById(read) == contentAt(live, version))
      }
      assert(files.list().exists(_.endsWith(".snapshot")))
    }
  }
}
