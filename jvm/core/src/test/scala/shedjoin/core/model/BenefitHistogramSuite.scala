package shedjoin.core.model

import java.io.{ByteArrayInputStream, ByteArrayOutputStream, DataInputStream, DataOutputStream}

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.{Budget, Seeded}

class BenefitHistogramSuite extends AnyFunSuite with Seeded {

  private def worthAt(histogram: BenefitHistogram, offset: Long): Double =
    histogram.worth((0 until histogram.size).find(b => histogram.to(b) >= offset).get)

  test("buckets cover all offsets, in order, whatever comes") {
    histories(60) { random =>
      val histogram = new BenefitHistogram(3 + random.nextInt(12), 4 + random.nextInt(30), Budget.unlimited)
      val reach = 1 + random.nextInt(60)
      (1 to 1500).foreach { _ =>
        val wild = if (random.nextInt(50) == 0) 1000000L else 1L
        histogram.observe(
          wild * (random.nextInt(2 * reach) - reach),
          random.nextInt(4).toDouble,
          random.nextInt(9).toDouble
        )
        histogram.checkInvariants()
        (1 until histogram.size).foreach(b => assert(histogram.from(b) == histogram.to(b - 1) + 1))
        assert(histogram.from(0) < -1e15 && histogram.to(histogram.size - 1) > 1e15)
      }
    }
  }

  test("what rows bring is found, where it is more and where less, and followed when it changes") {
    histories(10) { random =>
      val histogram = new BenefitHistogram(10, 64, Budget.unlimited)
      Seq(5, -15).foreach { peak =>
        // Rows near the peak meet 4 partners in 3 ticks, others one.
        (1 to 30000).foreach { _ =>
          val offset = random.nextInt(61) - 30L
          val met = if (math.abs(offset - peak) <= 4) 4 else 1
          histogram.observe(offset, met.toDouble, 3)
        }
        assert(worthAt(histogram, peak.toLong) > .8, s"at the peak $peak: ${worthAt(histogram, peak.toLong)}")
        Seq(-29, 29).foreach(far => assert(worthAt(histogram, far.toLong) < .4, s"at $far"))
      }
    }
  }

  test("a bucket that sees nothing any more is worth nothing") {
    val histogram = new BenefitHistogram(4, 8, Budget.unlimited)
    (1 to 64).foreach(i => histogram.observe(i % 40L, 5, 2))
    (1 to 4000).foreach(_ => histogram.observe(0, 1, 2))
    assert(worthAt(histogram, 39) == 0 && worthAt(histogram, 0) > .3)
  }

  test("what is saved is restored bit by bit, in memory that does not grow") {
    histories(20) { random =>
      val budget = Budget.unlimited
      val histogram = new BenefitHistogram(6, 8, budget)
      val used = budget.usedBytes
      def observe(h: BenefitHistogram, i: Int): Unit = h.observe(i * 37L % 50, (i % 5).toDouble, (i % 7).toDouble)
      val count = random.nextInt(400)
      (1 to count).foreach(observe(histogram, _))
      val bytes = new ByteArrayOutputStream
      histogram.save(new DataOutputStream(bytes))
      val restored = new BenefitHistogram(6, 8, Budget.unlimited)
      restored.restore(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray)))
      (count to count + 200).foreach { i =>
        observe(histogram, i)
        observe(restored, i)
        assert(histogram.size == restored.size)
        (0 until histogram.size).foreach { b =>
          assert(histogram.worth(b) == restored.worth(b) && histogram.from(b) == restored.from(b))
        }
      }
      assert(budget.usedBytes == used)
    }
  }
}
