package shedjoin.sim

import org.scalatest.funsuite.AnyFunSuite

/** Tables 1 to 4 of paper 2: two rows a side, evict first; a row of window 8 at time t has t - 8 < i. */
class IJoinTablesSuite extends AnyFunSuite {
  private val importance = Map('a' -> 1.0, 'b' -> 2.0, 'c' -> 3.0, 'd' -> 4.0)

  private def side(values: String): TraceSide = {
    val times = values.indices.map(_ + 1L).toArray
    TraceSide(times, values.map(_.toLong).toArray, values.map(importance).toArray, times.map(_ => Long.MaxValue))
  }

  private val trace = Trace(side("abcddbac"), side("babbccda"), isStepwise = true)
  private val evictFirst =
    SimSettings("greedy", memory = Memory.Apart(2, 2), within = Within(7, 7), order = StepOrder.EvictFirst)

  private def total(settings: SimSettings): (Long, Double) = {
    val result = Simulated(trace, settings)
    (result.outputs, result.importance)
  }

  test("EXACT finds 16 results worth 36") {
    assert(total(evictFirst.copy(memory = Memory.Apart(100, 100))) == ((16, 36.0)))
  }

  test("FIFO finds results worth 6, GREEDY worth 13") {
    assert(total(evictFirst.copy(policy = "oldest_first"))._2 == 6)
    assert(total(evictFirst)._2 == 13)
  }

  test("who probes first finds more: 20 and 23") {
    val probeFirst = evictFirst.copy(order = StepOrder.ProbeFirst)
    assert(total(probeFirst.copy(policy = "oldest_first"))._2 == 20)
    assert(total(probeFirst)._2 == 23)
  }
}
