package shedjoin.core.model

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.Seeded

class HorizonSuite extends AnyFunSuite with Seeded {

  test("a weight of L^exp is the sum of what is left at each step") {
    Seq(0.5, 3.0, 40.0).foreach { alpha =>
      (0 to 60).foreach { life =>
        val sum = (1 to life).map(d => math.exp(-d / alpha)).sum
        assert(math.abs(Horizon.Decay(alpha).weight(life.toLong) - sum) < 1e-12)
      }
    }
  }

  test("a row of higher rate and shorter life falls behind at the turn, not before, and never comes up again") {
    histories(2000) { random =>
      val horizon =
        if (random.nextBoolean()) Horizon.WholeLife else Horizon.Decay(math.exp(random.nextDouble() * 6 - 1))
      val short = 1L + random.nextInt(200)
      val long = short + 1 + random.nextInt(200)
      val low = (1 + random.nextInt(1000)) / 1000.0
      val high = low + (1 + random.nextInt(1000)) / 1000.0
      def lead(ticks: Long): Double = high * horizon.weight(short - ticks) - low * horizon.weight(long - ticks)
      if (lead(0) >= 0) {
        val turn = horizon.turn(high, short, low, long)
        (0L to short).foreach { ticks =>
          if (ticks < turn - 1e-6) assert(lead(ticks) > -1e-9, s"$horizon $high $short $low $long at $ticks")
          if (ticks > turn + 1e-6) assert(lead(ticks) < 1e-9, s"$horizon $high $short $low $long at $ticks")
        }
      }
    }
  }
}
