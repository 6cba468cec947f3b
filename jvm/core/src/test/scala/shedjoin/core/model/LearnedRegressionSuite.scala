package shedjoin.core.model

import java.io.{ByteArrayInputStream, ByteArrayOutputStream, DataInputStream, DataOutputStream}

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.Seeded

class LearnedRegressionSuite extends AnyFunSuite with Seeded {

  private def any(random: Random): AutoRegression = {
    val phi = Seq(.72, .95, .3, -.5, 0.0, -.9)(random.nextInt(6))
    AutoRegression(phi, (1 - phi) * (random.nextInt(200) - 100), 3 + random.nextDouble() * 40)
  }

  private def drawn(model: AutoRegression, count: Int, random: Random): Seq[Double] =
    Iterator
      .iterate(model.level)(x => model.constant + model.phi * x + model.deviation * random.nextGaussian())
      .slice(1, count + 1)
      .toSeq

  test("the line is that of least squares, each pair fading by the more that came after it") {
    histories(50) { random =>
      val memory = 60 + random.nextInt(400)
      val learned = new LearnedRegression(memory.toDouble)
      val values = drawn(any(random), 600, random)
      values.foreach(learned.observe)
      val pairs = values.zip(values.tail)
      val weights = pairs.indices.map(i => math.pow(1 - 1.0 / memory, (pairs.size - 1 - i).toDouble))
      def mean(of: ((Double, Double)) => Double) =
        pairs.zip(weights).map { case (pair, weight) => of(pair) * weight }.sum / weights.sum
      val (before, after) = (mean(_._1), mean(_._2))
      val phi = mean(p => (p._1 - before) * (p._2 - after)) / mean(p => math.pow(p._1 - before, 2))
      val constant = after - phi * before
      val deviation = math.sqrt(mean(p => math.pow(p._2 - constant - phi * p._1, 2)))
      val found = learned.estimate
      def isNear(a: Double, b: Double) = math.abs(a - b) < 1e-6 * (1 + math.abs(b))
      if (math.abs(phi) < .95)
        assert(
          isNear(found.phi, phi) && isNear(found.constant, constant) && isNear(found.deviation, deviation),
          s"$found, $phi $constant $deviation"
        )
    }
  }

  test("what is told is near what the stream is made by, is followed when that changes, and is seldom another one") {
    histories(20) { random =>
      val learned = new LearnedRegression(1000)
      Seq(any(random), any(random)).foreach { made =>
        val changes = drawn(made, 9000, random).map { value =>
          learned.observe(value)
          learned.settle()
        }
        val told = learned.model
        // The slack, and four standard errors of a thousand values.
        assert(math.abs(told.phi - made.phi) < .25 * math.sqrt(1 - made.phi * made.phi), s"$told, $made")
        assert(math.abs(math.log(told.deviation / made.deviation)) < .25, s"$told, $made")
        val levels = 4 * made.deviation / (1 - made.phi) / math.sqrt(500)
        assert(math.abs(told.level - made.level) < .3 * made.farSpread + levels, s"$told, $made")
        assert(changes.drop(8000).count(identity) <= 2, "in the last thousand values")
      }
    }
  }

  test("a stream of one value, and one that all but walks, have parameters that can be reckoned with") {
    val still = new LearnedRegression(100)
    (1 to 200).foreach(_ => still.observe(7))
    assert(still.settle() && !still.settle() && still.model.level == 7)
    val walking = new LearnedRegression(100)
    (1 to 400).foreach(i => walking.observe(i * 3.0))
    assert(walking.settle() && walking.model.phi < 1 && walking.model.deviation > 0)
    assert(!new LearnedRegression(100).isKnown)
  }

  test("what is saved is restored bit by bit") {
    histories(30) { random =>
      val learned = new LearnedRegression(200)
      val values = drawn(any(random), 800, random)
      val (first, rest) = values.splitAt(random.nextInt(400))
      def tell(to: LearnedRegression, value: Double): Boolean = {
        to.observe(value)
        to.settle()
      }
      first.foreach(tell(learned, _))
      val bytes = new ByteArrayOutputStream
      learned.save(new DataOutputStream(bytes))
      val restored = new LearnedRegression(200)
      restored.restore(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray)))
      assert(restored.isKnown == learned.isKnown)
      rest.foreach { value =>
        assert(tell(learned, value) == tell(restored, value) && learned.model == restored.model)
      }
      assert(learned.estimate == restored.estimate)
    }
  }
}
