package shedjoin.state

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.join._

class DeltaSizeSuite extends AnyFunSuite {
  import Histories._

  for (padding <- Seq(8, 100, 1000))
    test(s"a delta takes at most one and a half times the bytes of its batch, rows of ${24 + padding} random bytes") {
      val random = new Random(padding)
      val files = new MemoryFiles
      val state = new VersionedState(files, StateSettings(StateSettings.Unlimited, 10, 10))
      val attempt = state.open(StateVersion.Empty)
      val open = attempt.state
      val rows = 5000
      def stageAll(): Unit = (1 to rows).foreach { i =>
        val row = TestRow(random.nextInt(), 1700000000000000L + i * 1000L + random.nextInt(5000), i, padding)
        val bytes = row.bytes
        val noise = new Array[Byte](padding)
        random.nextBytes(noise)
        System.arraycopy(noise, 0, bytes, 24, padding)
        open.stage(row.keyBytes, 0, 16, bytes, 0, bytes.length, row.time)
      }
      val shape = JoinShape(JoinKind.Inner, JoinShape.NoBound, JoinShape.NoBound, Reach.Everything, Reach.Everything)
      assert(!oneSided(open, Side.Left, shape)(stageAll()).next())
      val size = files.content.get(attempt.commit().delta).length
      val batch = rows * (24 + padding)
      assert(size <= 1.5 * batch, s"$size bytes for a batch of $batch")
      info(f"${size.toDouble / batch}%.2f bytes a byte")
    }
}
