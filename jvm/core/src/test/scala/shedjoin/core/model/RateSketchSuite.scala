package shedjoin.core.model

import java.io.{ByteArrayInputStream, ByteArrayOutputStream, DataInputStream, DataOutputStream}

import scala.collection.mutable

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.{Budget, Seeded}

class RateSketchSuite extends AnyFunSuite with Seeded {

  /** The count as told, in arrivals of now. */
  private def told(sketch: RateSketch, clock: DecayClock, side: Int, value: Long): Double =
    LogNumber.over(sketch.count(side, value), clock.exponent) / clock.weight

  test("a count is never too small, decays by half in a half-life, and is right where there are few values") {
    histories(30) { random =>
      val values = if (random.nextBoolean()) 8 else 4000
      val halfLife = Seq(7, 100, 100000)(random.nextInt(3))
      val clock = new DecayClock(halfLife.toLong)
      val sketch = new RateSketch(256, clock, Budget.unlimited)
      val arrivals = mutable.HashMap.empty[(Int, Long), List[Long]].withDefaultValue(Nil)
      var tick = 0L
      clock.advance(tick, 0)
      (1 to 3000).foreach { _ =>
        tick += random.nextInt(5)
        clock.advance(tick, 0)
        sketch.advanced()
        val arrival = (random.nextInt(2), random.nextInt(values).toLong - 10)
        arrivals(arrival) ::= tick
        sketch.add(arrival._1, arrival._2)
      }
      arrivals.foreach { case ((side, value), ticks) =>
        val count = ticks.map(t => math.pow(.5, (tick - t).toDouble / halfLife)).sum
        val estimate = told(sketch, clock, side, value)
        assert(estimate >= count * (1 - 1e-4) - 1e-20)
        if (values == 8) assert(math.abs(estimate - count) <= 1e-4 * count + 1e-20)
      }
    }
  }

  test("a sketch as wide as the values are many tells them apart; a narrow one does not") {
    def error(width: Int): Double = {
      val clock = new DecayClock(1 << 20)
      clock.advance(0, 0)
      val sketch = new RateSketch(width, clock, Budget.unlimited)
      (1 to 5).foreach(_ => (0 until 20000).foreach(v => sketch.add(0, v.toLong)))
      (0 until 20000).map(v => told(sketch, clock, 0, v.toLong) - 5).sum / 20000
    }
    assert(error(RateSketch.widthFor(Budget.unlimited)) < .2)
    assert(error(256) > 100)
  }

  test("the width is as the budget allows") {
    assert(
      Seq(1L << 10, 320L << 10, 1L << 40).map(limit => RateSketch.widthFor(new Budget(limit))) == Seq(64, 512, 1 << 16)
    )
  }

  test("what is saved is restored") {
    val clock = new DecayClock(300)
    val sketch = new RateSketch(256, clock, Budget.unlimited)
    clock.advance(0, 0)
    (1 to 5000).foreach { i =>
      clock.advance(i.toLong, 0)
      sketch.advanced()
      sketch.add(i & 1, i.toLong % 1700)
    }
    val before = (0 to 1800).map(v => sketch.count(v & 1, v.toLong))
    val bytes = new ByteArrayOutputStream
    sketch.save(new DataOutputStream(bytes))
    val restored = new RateSketch(64, clock, Budget.unlimited)
    restored.restore(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray)))
    assert((0 to 1800).map(v => restored.count(v & 1, v.toLong)) == before)
  }

  test("logarithmic numbers order as the numbers do, and give them back") {
    histories(200) { random =>
      def number() = math.scalb(1 + random.nextFloat(), random.nextInt(60)).toDouble -> random.nextInt(4000).toLong
      val (x, e) = number()
      val (y, f) = number()
      val (a, b) = (LogNumber.of(x, e), LogNumber.of(y, f))
      val log = math.log(x / y) / math.log(2) + (e - f).toDouble
      if (math.abs(log) > 1e-9) assert(a < b == log < 0, s"$x 2^$e, $y 2^$f")
      assert(LogNumber.over(a, e) == x && LogNumber.of(0, e) == 0)
      val factor = .001 + random.nextDouble()
      assert(math.abs(LogNumber.over(LogNumber.times(a, factor), e) / (x * factor) - 1) < 1e-9)
    }
  }
}
