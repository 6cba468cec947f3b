package shedjoin.state

import java.lang.ref.WeakReference

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.join.{JoinKind, JoinShape, Reach}

class ClosedStateSuite extends AnyFunSuite {
  import Histories._

  private val settings = StateSettings(StateSettings.Unlimited, deltasPerSnapshot = 10, versionsToRetain = 10)

  /** Commits a version and returns what then holds its rows. */
  private def filled(versions: VersionedState): WeakReference[JoinState] = {
    val attempt = versions.open(StateVersion.Empty)
    val shape = shapeOf(JoinKind.Inner, Reach.Everything, JoinShape.NoBound)
    runBatch(attempt.state, batches(new Random(1), 1, 200, 9, 60).head, shape)
    attempt.commit()
    new WeakReference(attempt.state)
  }

  /** In a frame of its own, which does not keep it. */
  private def isThere(state: WeakReference[JoinState]): Boolean = state.get != null

  private def isFreed(state: WeakReference[JoinState]): Boolean = {
    val deadline = System.nanoTime + 20000000000L
    while (isThere(state) && System.nanoTime < deadline) {
      System.gc()
      Thread.sleep(10)
    }
    !isThere(state)
  }

  test("what is closed holds no rows any more, though it is still there itself") {
    val versions = new VersionedState(new MemoryFiles, settings)
    val state = filled(versions)
    System.gc()
    assert(isThere(state))
    versions.close()
    assert(isFreed(state))
    intercept[StateClosed](versions.open(StateVersion(1, None)))
  }
}
