package shedjoin.core.model

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.Seeded

class HorizonSuite extends AnyFunSuite with Seeded {

  test("a worth of L^exp is the sum of what is left at each step") {
    Seq(0.5, 3.0, 40.0).foreach { alpha =>
      (0 to 60).foreach { life =>
        val sum = (1 to life).map(d => math.exp(-d / alpha)).sum
        assert(math.abs(Horizon.Decay(alpha).worth(life.toLong) - sum) < 1e-12)
      }
    }
  }

  test("a worth is the sum of what is left at each step, for every horizon") {
    val plain = Seq(Horizon.WholeLife, Horizon.Fixed(1), Horizon.Fixed(17), Horizon.Inverse, Horizon.Decay(8))
    (plain ++ plain.flatMap(of => Seq(1L, 12L, 250L).map(Horizon.Within(of, _)))).foreach { horizon =>
      (0 to 300).foreach { life =>
        val sum = (1 to life).map(d => horizon.kept(d.toLong)).sum
        assert(math.abs(horizon.worth(life.toLong) - sum) < 1e-11, s"$horizon $life")
      }
    }
  }

  test("L^exp is weighed as exactly as by the library's exponential, for any life") {
    histories(300) { random =>
      val alpha = math.exp(random.nextDouble() * 24 - 4)
      val all = 1 / math.expm1(1 / alpha)
      val life = math.abs(random.nextLong()) >>> random.nextInt(63)
      val told = Horizon.Decay(alpha).worth(life)
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

  test("the life that is worth something is told to a tick") {
    histories(2000) { random =>
      val horizon = any(random)
      val most = horizon.worth(1L << 40)
      val worth = most * math.pow(random.nextDouble(), 2)
      val life = horizon.lifeOf(worth)
      assert(horizon.worth(math.ceil(life).toLong + 1) >= worth * (1 - 1e-12), s"$horizon $worth")
      assert(horizon.worth(math.floor(life).toLong - 1) <= worth * (1 + 1e-12), s"$horizon $worth")
      if (horizon.reach != Horizon.Endless) assert(horizon.lifeOf(most * 1.01).isInfinite, s"$horizon")
    }
  }
}
