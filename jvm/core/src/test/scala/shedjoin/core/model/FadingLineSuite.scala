package shedjoin.core.model

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.Seeded

class FadingLineSuite extends AnyFunSuite with Seeded {

  test("the line is that of least squares, each value fading by the more that came after it") {
    histories(50) { random =>
      val memory = 5 + random.nextInt(200)
      val trend = new FadingLine(memory.toDouble)
      var tick = random.nextInt(1000).toLong
      val seen = (1 to 300).map { _ =>
        tick += random.nextInt(4)
        val value = 3 - .7 * tick + 5 * random.nextGaussian()
        trend.observe(tick.toDouble, value)
        (tick.toDouble, value)
      }
      val weights = seen.indices.map(i => math.pow(1 - 1.0 / memory, (seen.size - 1 - i).toDouble))
      val all = weights.sum
      def mean(f: ((Double, Double)) => Double) = seen.zip(weights).map { case (s, w) => f(s) * w }.sum / all
      val (meanTick, meanValue) = (mean(_._1), mean(_._2))
      val slope = mean(s => (s._1 - meanTick) * (s._2 - meanValue)) / mean(s => math.pow(s._1 - meanTick, 2))
      assert(math.abs(trend.slope - slope) < 1e-9 * (1 + math.abs(slope)))
      assert(math.abs(trend.at(tick + 10.0) - (meanValue + slope * (tick + 10 - meanTick))) < 1e-6)
    }
  }
}
