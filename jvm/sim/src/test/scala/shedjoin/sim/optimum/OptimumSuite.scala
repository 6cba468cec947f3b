package shedjoin.sim.optimum

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.Seeded
import shedjoin.core.join.Side
import shedjoin.sim._

class OptimumSuite extends AnyFunSuite with Seeded {

  private def small(random: Random): Trace = {
    val values = 1 + random.nextInt(3)
    def side(rows: Int): TraceSide = {
      val times = Array.fill(rows)(random.nextInt(8).toLong)
      TraceSide(
        times,
        Array.fill(rows)(random.nextInt(values).toLong),
        Array.fill(rows)(1.0),
        times.map(t => if (random.nextInt(4) == 0) t + random.nextInt(5) else Long.MaxValue)
      )
    }
    Trace(side(random.nextInt(7)), side(random.nextInt(7)), isStepwise = random.nextInt(3) > 0)
  }

  private def settings(random: Random): SimSettings = SimSettings(
    "oldest_first",
    memory =
      if (random.nextInt(3) > 0) Memory.Shared(random.nextInt(4))
      else Memory.Apart(random.nextInt(3), random.nextInt(3)),
    within = if (random.nextBoolean()) Within.Ever else Within(random.nextInt(6).toLong, random.nextInt(6).toLong),
    count = Seq(Counted.Both, Counted.Left, Counted.Right)(random.nextInt(3)),
    warmup = random.nextInt(3).toLong
  )

  test("the flow gains what the best of all choices finds, and a run of its plan finds it within the memory") {
    histories(400) { random =>
      val trace = small(random)
      val how = settings(random)
      val best = BestRows(trace, how)
      val (gain, planned) = Optimum(trace, how)
      val (pairs, result) = NaiveJoin.found(trace, planned) { run =>
        how.memory match {
          case Memory.Shared(rows) => assert(run.storedRows <= rows)
          case Memory.Apart(left, right) =>
            assert(run.storedRows(Side.Left) <= left && run.storedRows(Side.Right) <= right)
        }
      }
      assert(gain == best && result.outputs == best && pairs.size == best)
    }
  }

  test("no policy finds more") {
    histories(60) { random =>
      val trace = Traces.any(random)
      val how = Traces.settings(("random", Map.empty), random).copy(order = StepOrder.ProbeFirst)
      val best = Optimum.outputs(trace, how)
      Seq("random", "oldest_first", "newest_first", "lru", "lfu", "prob", "life", "ijoin", "hottest_key").foreach {
        name =>
          assert(Simulated(trace, how.copy(policy = name)).outputs <= best, name)
      }
    }
  }

  test("a trace without rows, and memory for none, have an optimum of nothing") {
    val empty = Trace.ofSteps(Array.empty, Array.empty)
    assert(Optimum.outputs(empty, SimSettings("prob", memory = Memory.Shared(3))) == 0)
    val full = Trace.ofSteps(Array(1, 1, 1), Array(1, 1, 1))
    assert(Optimum.outputs(full, SimSettings("prob", memory = Memory.Shared(0))) == 0)
  }
}
