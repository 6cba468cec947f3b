package shedjoin.core.model

import java.io.{ByteArrayInputStream, ByteArrayOutputStream, DataInputStream, DataOutputStream}

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.Seeded

class LearnedAlphaSuite extends AnyFunSuite with Seeded {

  /** Rows that go from one step to the next with probability 1 - exp(-1 / alpha). */
  private def life(alpha: Double, random: scala.util.Random): Double =
    math.floor(-alpha * math.log(1 - random.nextDouble()))

  test("alpha is found from lifetimes, within a step of it, and followed when it changes") {
    histories(20) { random =>
      val learned = new LearnedAlpha
      Seq(math.exp(.2 + random.nextDouble() * 5), math.exp(.2 + random.nextDouble() * 5)).foreach { alpha =>
        // Of the lifetimes under another alpha not even the squares are left.
        (1 to 20000).foreach { _ =>
          learned.observe(life(alpha, random))
          learned.settle()
        }
        // Lifetimes deviate by sqrt(exp(1 / alpha)) of their mean. The latest, decaying, are worth 2,000 equal ones.
        val standardError = math.sqrt(math.exp(1 / alpha) / 2000)
        assert(math.abs(math.log(learned.estimate / alpha)) < 5 * standardError, s"$alpha, ${learned.estimate}")
        // What is told stays within its slack, or 3.5 standard errors, which are known to a fifth of themselves.
        assert(
          math.abs(math.log(learned.alpha / learned.estimate)) < math.max(.76 * math.log(2) / 6, 4.2 * standardError),
          s"$alpha, ${learned.alpha}"
        )
      }
    }
  }

  test("alpha is seldom another one where lifetimes stay what they are, though most are short and few are long") {
    var all = 0
    histories(20) { random =>
      val learned = new LearnedAlpha
      val changes = (1 to 100000).count { _ =>
        learned.observe(if (random.nextInt(20) == 0) life(500, random) else life(2, random))
        learned.settle()
      }
      all += changes
      assert(changes < 30)
    }
    overall(assert(all < times(20) * 16))
  }

  test("the mean life under an alpha is that of L^exp") {
    Seq(1.0, 5.5, 80).foreach { alpha =>
      val learned = new LearnedAlpha
      learned.observe((1 to 4000).map(d => math.exp(-d / alpha)).sum)
      assert(math.abs(learned.estimate - alpha) < 1e-9)
    }
  }

  test("what is saved is restored bit by bit") {
    histories(20) { random =>
      val learned = new LearnedAlpha
      (1 to random.nextInt(200)).foreach { _ =>
        learned.observe(life(30, random))
        learned.settle()
      }
      val bytes = new ByteArrayOutputStream
      learned.save(new DataOutputStream(bytes))
      val restored = new LearnedAlpha
      restored.restore(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray)))
      assert(restored.alpha == learned.alpha && restored.meanLife == learned.meanLife)
    }
  }
}
