package shedjoin.core.policy

import java.lang.management.ManagementFactory

import com.sun.management.ThreadMXBean
import org.scalatest.funsuite.AnyFunSuite

/** What policies take of memory, counted by the budget and by the JVM. */
class PolicyMemorySuite extends AnyFunSuite {
  private val most = 1 << 14
  private val threads = ManagementFactory.getThreadMXBean.asInstanceOf[ThreadMXBean]

  /** Each policy with each choice of settings, whatever their values are. */
  private val cases = PolicyCases.tried.distinctBy { case (name, settings) => (name, settings.keySet) }

  test("a policy takes at most 96 bytes a row beside 64 KiB, and no more as rows come and go") {
    cases.foreach { case (name, settings) =>
      val store = new ChurnedStore(PolicyRegistry(name), settings, most)
      // Rows that all came at one tick take less than others where they lie by when they came.
      val laps = Iterator.continually {
        store.churn(most)
        store.budget.usedBytes
      }
      val settled = laps.sliding(3).take(15).find(_.distinct.size == 1)
      assert(settled.exists(_.head <= 96L * most + 65536), s"$name: ${store.budget.usedBytes} bytes")
    }
  }

  /** Once the code is compiled, which takes it a while. */
  test("nothing is allocated for a row") {
    cases.foreach { case (name, settings) =>
      val store = new ChurnedStore(PolicyRegistry(name), settings, 1000)
      val laps = Iterator.continually {
        val before = threads.getCurrentThreadAllocatedBytes
        store.churn(10000)
        threads.getCurrentThreadAllocatedBytes - before
      }
      val bytes = laps.take(60).takeWhile(_ > 5000).toSeq
      assert(bytes.size < 60, s"$name: ${bytes.lastOption} bytes for 10000 rows")
    }
  }
}
