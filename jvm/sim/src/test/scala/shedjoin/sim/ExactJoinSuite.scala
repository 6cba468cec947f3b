package shedjoin.sim

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.Seeded

class ExactJoinSuite extends AnyFunSuite with Seeded {

  test("as many results are counted as there are pairs, and as many rows as a run with all the memory stores") {
    histories(500) { random =>
      val trace = Traces.any(random)
      val settings = Traces.settings(("random", Map.empty), random).copy(memory = Memory.Shared(1000))
      val exact = new ExactJoin(trace, settings)
      val run = new Simulation(trace, settings, RunSink.Nowhere)
      var peak = 0
      while (run.step()) {
        peak = math.max(peak, run.storedRows)
        assert(exact.step() && exact.tick == run.tick && exact.outputs == run.outputs)
      }
      assert(!exact.step() && exact.outputs == NaiveJoin(trace, settings).size)
      if (settings.order == StepOrder.ProbeFirst) assert(exact.peakRows == peak)
    }
  }
}
