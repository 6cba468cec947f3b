package shedjoin.sim

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.sim.generate.Categories

/** Paper 2, sections 4.7 and 4.8: the policy `ijoin` beside the paper's schemes, which look at every row. */
class IJoinSuite extends AnyFunSuite {
  private val window = Within(24, 24)

  private def streams(seed: Long): Seq[(String, Trace)] = {
    val kinds = Categories(domain = 100, isWeighted = true, round = 500, steps = 1000, seed = seed)
    Seq("drift" -> kinds.drift, "bursts" -> kinds.copy(seed = seed + 1000).bursts)
  }

  private def settings(rows: Int): SimSettings = SimSettings("ijoin", memory = Memory.Shared(rows), within = window)

  private def reference(trace: Trace, rows: Int, recomputing: Recomputing): (Double, IJoinReference) = {
    val policy = new IJoinReference(recomputing)
    (Simulated(trace, settings(rows).copy(reference = Some(policy))).importance, policy)
  }

  private val cases = for {
    seed <- 1L to 6L
    (name, trace) <- streams(seed)
    rows <- Seq(5, 10, 20)
  } yield (s"$name, seed $seed, $rows rows", trace, rows)

  test("it loses at most 1 per cent of the importance that the successive scheme finds") {
    val lost = cases.map { case (name, trace, rows) =>
      val (successive, _) = reference(trace, rows, new Recomputing.Successive)
      val found = Simulated(trace, settings(rows)).importance
      assert(successive > 0 && found >= 0.99 * successive, name)
      1 - found / successive
    }
    info(f"at most ${100 * lost.max}%.3f per cent, and at least ${100 * lost.min}%.3f")
  }

  test("k-successive computes priorities at every k-th decision, and adaptive less often than successive") {
    val shares = cases.map { case (name, trace, rows) =>
      val (_, tenth) = reference(trace, rows, new Recomputing.EveryKth(10))
      assert(tenth.computed == (tenth.decisions + 9) / 10, name)
      val (_, adaptive) = reference(trace, rows, new Recomputing.Adaptive(0.1))
      assert(0 < adaptive.computed && adaptive.computed < adaptive.decisions, name)
      adaptive.computed / adaptive.decisions.toDouble
    }
    info(f"adaptive: at ${100 * shares.min}%.0f to ${100 * shares.max}%.0f per cent of all decisions")
  }

  test("adaptive computes them when the quality has moved by more than epsilon since it last did") {
    val adaptive = new Recomputing.Adaptive(0.1)
    val qualities = Seq(100.0, 105, 110, 110.5, 105, 100, 99, 0, 0, 0.001)
    assert(qualities.map(adaptive.isDue) == Seq(true, false, false, true, false, false, true, true, false, true))
  }

  test("with an epsilon of 0 adaptive computes them often, with one without end hardly ever") {
    val (_, trace) = streams(3).head
    val (_, often) = reference(trace, 10, new Recomputing.Adaptive(0))
    val (_, once) = reference(trace, 10, new Recomputing.Adaptive(1e9))
    assert(once.computed <= 2 && often.computed > 10 * once.computed)
  }
}
