package shedjoin.core.join

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.Seeded

class ReachSuite extends AnyFunSuite with Seeded {

  private val edges = Seq(Long.MinValue, Long.MinValue + 1, -1L, 0L, 1L, Long.MaxValue - 1)

  private def clamped(sum: BigInt): Long = sum.max(Long.MinValue).min(Long.MaxValue).toLong

  test("both ends are sums that stop at the extremes instead of turning over") {
    histories(20000) { random =>
      def any(): Long = if (random.nextBoolean()) edges(random.nextInt(edges.size)) else random.nextLong()
      val (time, from, to) = (any(), any(), any())
      val reach = Reach(from, to)
      if (from != Long.MinValue) assert(reach.earliest(time) == clamped(BigInt(time) + from), s"$time $from")
      assert(reach.latest(time) == clamped(BigInt(time) + to), s"$time $to")
    }
  }

  test("without a bound, and for a row without a time, everything is in reach") {
    edges.foreach { time =>
      assert(Reach.Everything.earliest(time) == Long.MinValue && Reach.Everything.latest(time) == Long.MaxValue)
    }
    val narrow = Reach(-5, 5)
    assert(narrow.earliest(JoinShape.NoTime) == Long.MinValue && narrow.latest(JoinShape.NoTime) == Long.MaxValue)
  }

  test("where a time is needed, a row without one reaches nothing and is out of every reach") {
    for (reach <- Seq(Reach(-5, 5, needsTime = true), Reach.Everything.copy(needsTime = true))) {
      assert(reach.earliest(JoinShape.NoTime) > reach.latest(JoinShape.NoTime))
      edges.foreach(time => assert(reach.latest(time) < JoinShape.NoTime && reach.earliest(time) <= reach.latest(time)))
    }
  }
}
