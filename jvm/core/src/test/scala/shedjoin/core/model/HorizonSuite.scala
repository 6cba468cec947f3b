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

  test("a weight is the sum of what is left at each step, for every horizon") {
    val plain = Seq(Horizon.WholeLife, Horizon.Fixed(1), Horizon.Fixed(17), Horizon.Inverse, Horizon.Decay(8))
    (plain ++ plain.flatMap(of => Seq(1L, 12L, 250L).map(Horizon.Within(of, _)))).foreach { horizon =>
      (0 to 300).foreach { life =>
        val sum = (1 to life).map(d => horizon.kept(d.toLong)).sum
        assert(math.abs(horizon.weight(life.toLong) - sum) < 1e-11, s"$horizon $life")
      }
    }
  }

  test("L^exp is weighed as exactly as by the library's exponential, for any life") {
    histories(300) { random =>
      val alpha = math.exp(random.nextDouble() * 24 - 4)
      val all = 1 / math.expm1(1 / alpha)
      val life = math.abs(random.nextLong()) >>> random.nextInt(63)
      val told = Horizon.Decay(alpha).weight(life)
      val exact = -math.expm1(-life / alpha) * all
      assert(math.abs(told - exact) <= 1e-13 * exact, s"alpha $alpha, $life left")
    }
  }

  private def any(random: scala.util.Random): Horizon = random.nextInt(5) match {
    case 4 => Horizon.Within(any(random), 1L + random.nextInt(300))
    case 0 => Horizon.WholeLife
    case 1 => Horizon.Fixed(1L + random.nextInt(300))
    case 2 => Horizon.Inverse
    case _ => Horizon.Decay(math.exp(random.nextDouble() * 6 - 1))
  }

  test("a row of higher rate and shorter life falls behind at the turn, not before, and never comes up again") {
    histories(2000) { random =>
      val horizon = any(random)
      val short = 1L + random.nextInt(200)
      val long = short + 1 + random.nextInt(200)
      val low = (1 + random.nextInt(1000)) / 1000.0
      val high = low + (1 + random.nextInt(1000)) / 1000.0
      def lead(ticks: Long): Double = high * horizon.weight(short - ticks) - low * horizon.weight(long - ticks)
      if (lead(0) >= 0) {
        val turn = horizon.turn(high, short, low, long)
        (0L to short).foreach { ticks =>
          // A turn may be rounded down to a tick.
          if (ticks < turn - 1e-6) assert(lead(ticks) > -1e-9, s"$horizon $high $short $low $long at $ticks")
          if (ticks >= turn + 1) assert(lead(ticks) < 1e-9, s"$horizon $high $short $low $long at $ticks")
        }
      }
    }
  }
}
