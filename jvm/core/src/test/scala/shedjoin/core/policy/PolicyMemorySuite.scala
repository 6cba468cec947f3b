package shedjoin.core.policy

import java.lang.management.ManagementFactory

import com.sun.management.ThreadMXBean
import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.Budget

/** What policies take of memory, counted by the budget and by the JVM. */
class PolicyMemorySuite extends AnyFunSuite {
  private val most = 1 << 14
  private val threads = ManagementFactory.getThreadMXBean.asInstanceOf[ThreadMXBean]

  final private class ArrayRows extends RowFacts {
    val sides, keys = new Array[Int](most)
    val lasts = new Array[Long](most)
    def side(row: Int): Int = sides(row)
    def key(row: Int): Int = keys(row)
    def value(row: Int): Long = keys(row).toLong
    def lastTick(row: Int): Long = lasts(row)
    def importance(row: Int): Double = 1.0 + keys(row) % 7
    def compareContent(a: Int, b: Int): Int = Integer.compare(a, b)
  }

  /** A store of some rows, full from the first lap on: each row that comes takes the id of the one shed for it. */
  final private class FullStore(spec: PolicySpec, settings: Map[String, String], size: Int) {
    val budget: Budget = new Budget(4L << 20)
    private val rows = new ArrayRows
    private val policy = spec(settings, PolicySetting(rows, budget, 1))
    private var seed = 1L
    private var tick = 0L
    policy.advance(tick)
    (0 until size).foreach(put)

    private def draw(bound: Int): Int = {
      seed = seed * 0x5851f42d4c957f2dL + 0x14057b7ef767814fL
      (seed >>> 33).toInt % bound
    }

    private def put(id: Int): Unit = {
      rows.sides(id) = draw(2)
      rows.keys(id) = draw(100)
      rows.lasts(id) = tick + 1 + draw(1000)
      policy.observed(rows.sides(id), rows.keys(id).toLong)
      policy.arrived(id, 0)
    }

    def churn(times: Int): Unit = {
      var i = 0
      while (i < times) {
        tick += 1
        policy.advance(tick)
        policy.matched(draw(size))
        val victim = policy.nextVictim()
        policy.removed(victim)
        put(victim)
        i += 1
      }
    }
  }

  /** Each policy with each choice of settings, whatever their values are. */
  private val cases = PolicyCases.tried.distinctBy { case (name, settings) => (name, settings.keySet) }

  test("a policy takes at most 96 bytes a row beside 64 KiB, and no more as rows come and go") {
    cases.foreach { case (name, settings) =>
      val store = new FullStore(PolicyRegistry(name), settings, most)
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
      val store = new FullStore(PolicyRegistry(name), settings, 1000)
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
