package shedjoin.core.policy

import java.lang.management.ManagementFactory

import org.scalatest.funsuite.AnyFunSuite

/** What policies take of time, as rows grow in number: timed, so not among the tests. */
class PolicyCostSoak extends AnyFunSuite {
  private val threads = ManagementFactory.getThreadMXBean
  private val few = 1 << 11
  private val many = 1 << 16

  private val cases = PolicyCases.tried.distinctBy { case (name, settings) => (name, settings.keySet) }

  /** Nanoseconds of the processor for a row that comes, a match, a tick and a victim: the least of some laps. */
  private def cost(policy: (String, Map[String, String]), rows: Int): Double = {
    val store = new ChurnedStore(PolicyRegistry(policy._1), policy._2, rows, lives = rows)
    val times = 1 << 13
    (1 to 6).map { _ =>
      val before = threads.getCurrentThreadCpuTime
      store.churn(times)
      (threads.getCurrentThreadCpuTime - before).toDouble / times
    }.min
  }

  /** What scans rows takes 32 times as long, and tens of microseconds; memory that is not in a cache is far from either. */
  test("32 times as many rows cost less than 8 times as much time a row, and a microsecond: nothing scans the state") {
    cases.foreach { case (name, settings) =>
      val (small, large) = (cost((name, settings), few), cost((name, settings), many))
      assert(
        large < 8 * small + 1000,
        f"$name ${settings.keys.toSeq.sorted.mkString(" ")}: $small%.0f ns, $large%.0f ns"
      )
    }
  }
}
