package shedjoin.sim

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.Seeded
import shedjoin.core.join.Side
import shedjoin.core.policy.{PolicyCases, PolicyRegistry}

class SimulationSuite extends AnyFunSuite with Seeded {

  /** `random` comes first. */
  private val policies: Seq[(String, Map[String, String])] = PolicyCases.tried

  test("with memory for all rows a run finds every pair that there is, and counts it once") {
    histories(300) { random =>
      val trace = Traces.any(random)
      val settings = Traces.settings(policies.head, random).copy(memory = Memory.Shared(1000))
      val exact = NaiveJoin(trace, settings)
      val (pairs, result) = NaiveJoin.found(trace, settings)(_ => ())
      assert(pairs == exact && result.outputs == exact.size && result.shed == 0)
      assert(Simulated(trace, settings.copy(memory = Memory.Shared(Int.MaxValue))).outputs == exact.size)
      val worth = exact.toSeq.map { case (l, r) => math.min(trace.left.importances(l), trace.right.importances(r)) }.sum
      assert(math.abs(result.importance - worth) < 1e-9)
    }
  }

  test("every policy keeps to the memory after each step, and finds nothing that is not there") {
    policies.foreach { policy =>
      histories(12) { random =>
        val trace = Traces.any(random)
        val settings = Traces.settings(policy, random)
        val (pairs, result) = NaiveJoin.found(trace, settings) { run =>
          settings.memory match {
            case Memory.Shared(rows) => assert(run.storedRows <= rows)
            case Memory.Apart(left, right) =>
              assert(run.storedRows(Side.Left) <= left && run.storedRows(Side.Right) <= right)
          }
        }
        assert(pairs.subsetOf(NaiveJoin(trace, settings)) && result.outputs == pairs.size, policy)
      }
    }
  }

  test("dead rows leave before live ones: what is shed lives, and the memory is full then") {
    var sheds = 0L
    histories(25) { random =>
      val trace = Traces.any(random)
      policies.foreach { policy =>
        val rows = 1 + random.nextInt(12)
        val settings =
          Traces.settings(policy, random).copy(memory = Memory.Shared(rows), order = StepOrder.ProbeFirst)
        val run = new Simulation(
          trace,
          settings,
          new RunSink {
            def emit(left: Int, right: Int): Unit = ()
            override def gone(side: Int, place: Int, tick: Long, fate: Fate): Unit = if (fate == Fate.Shed) {
              val last = settings.within.lastTick(trace, side, place)
              assert(last > tick || last == tick && !trace.isStepwise, s"$policy shed a row that was dead since $last")
            }
          }
        )
        var before = 0L
        while (run.step()) {
          assert(run.shed == before || run.storedRows == rows, policy)
          before = run.shed
        }
        sheds += before
      }
    }
    assert(sheds > 1000)
  }

  test("every policy does the same again, whatever the order in which the rows of a tick are told") {
    policies.foreach { policy =>
      histories(6) { random =>
        val trace = Traces.any(random)
        val settings = Traces.settings(policy, random)
        val told = trace.copy(left = Traces.shuffled(trace.left, random), right = Traces.shuffled(trace.right, random))
        val results = Seq(trace, trace, told).map(NaiveJoin.found(_, settings)(_ => ()))
        assert(results.distinct.size == 1, policy)
      }
    }
  }

  test("sides changed over, a stepwise run finds the same") {
    val blind = Set("random", "newest_first")
    policies.filterNot(p => blind(p._1) || p._2.nonEmpty).foreach { policy =>
      histories(6) { random =>
        val trace = Traces.any(random).copy(isStepwise = true)
        val settings = Traces
          .settings(policy, random)
          .copy(memory = Memory.Apart(4, 4), within = Within(9, 9), count = Counted.Both)
        val changed = Simulated(trace.copy(left = trace.right, right = trace.left), settings)
        val straight = Simulated(trace, settings)
        assert((changed.outputs, changed.importance) == ((straight.outputs, straight.importance)), policy)
      }
    }
  }

  test("Jain's index of rows that stay equally long is 1, and of one of four that stays 1/4") {
    val never = Array(0L, 1L, 2L, 3L)
    def fairness(rows: Int): Double = Simulated(
      Trace(TraceSide(never, Array(1L, 2L, 3L, 4L)), TraceSide(Array.empty, Array.empty), isStepwise = true),
      SimSettings("newest_first", memory = Memory.Shared(rows), within = Within(3, 3))
    ).fairness
    assert(fairness(0) == 1)
    // The first row stays to the end, when the last one comes into its place.
    assert(fairness(1) == 0.25)
  }

  test("policies that are not there are refused by name") {
    assert(PolicyRegistry.all.map(_.name).toSet == policies.map(_._1).toSet)
    assertThrows[IllegalArgumentException] {
      Simulated(Trace.ofSteps(Array(1), Array(1)), SimSettings("best", memory = Memory.Shared(1)))
    }
  }
}
