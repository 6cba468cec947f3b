package shedjoin.state

import java.lang.management.ManagementFactory

import com.sun.management.ThreadMXBean
import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.join.{JoinKind, JoinShape, JoinStep, PairCondition, Reach}
import shedjoin.core.{Budget, Bytes}

class AllocationSuite extends AnyFunSuite {
  private val threads = ManagementFactory.getThreadMXBean.asInstanceOf[ThreadMXBean]
  private val rowsASide = 5000

  /** A stream at rest: as many rows come with each batch as go, under new keys, a tenth of them met by the other side. */
  private class Stream(keyBytes: Int) {
    private val state = new JoinState(Budget.unlimited, 1 << 16)
    private val key = new Array[Byte](keyBytes)
    private val row = new Array[Byte](32)
    private var time = 0L

    def batch(): Unit = {
      state.begin()
      time += 1000
      val reach = Reach(-5000, 5000)
      val shape = JoinShape(JoinKind.LeftOuter, time - 5000, time - 5000, reach, reach)
      val step = new JoinStep(state, shape, PairCondition.Always)
      (0 to 1).foreach { side =>
        stage(side)
        step.probe(side)
        while (step.next()) ()
      }
      (0 to 1).foreach { side =>
        step.expire(side)
        while (step.next()) ()
      }
    }

    private def stage(side: Int): Unit = {
      var i = 0
      while (i < rowsASide) {
        Bytes.putLong(key, keyBytes - 8, time * 100000 + i + side * rowsASide * 9 / 10)
        state.stage(key, 0, keyBytes, row, 0, row.length, time + i % 1000)
        i += 1
      }
    }
  }

  Seq(16, 24).foreach { keyBytes =>
    test(
      s"nothing is allocated for a row of a stream at rest, with keys of $keyBytes bytes, once the code is compiled"
    ) {
      val stream = new Stream(keyBytes)
      val batches = Iterator.continually {
        val before = threads.getCurrentThreadAllocatedBytes
        stream.batch()
        threads.getCurrentThreadAllocatedBytes - before
      }
      val deadline = System.nanoTime + 60000000000L
      val bytes = batches.find(_ <= rowsASide / 2 || System.nanoTime > deadline).get
      assert(bytes <= rowsASide / 2, s"for ${2 * rowsASide} rows")
    }
  }
}
