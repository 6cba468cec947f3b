package shedjoin.core.collection

import scala.collection.mutable

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.{Budget, Seeded}

class BandSetSuite extends AnyFunSuite with Seeded {
  test("the least band is at hand, while bands rise by many spans, and 0 comes and goes") {
    histories(200) { random =>
      val bands = new BandSet(Budget.unlimited)
      val model = mutable.TreeSet.empty[Long]
      var lowest = random.nextInt(1000000).toLong
      val spread = 1 + random.nextInt(BandSet.Span.toInt - 1)
      (1 to 300).foreach { _ =>
        lowest += random.nextInt(1000)
        model.rangeUntil(lowest).toSeq.foreach { low =>
          model -= low
          bands.remove(low)
        }
        val band = if (random.nextInt(10) == 0) 0L else lowest + random.nextInt(spread)
        if (model(band) && random.nextBoolean()) {
          model -= band
          bands.remove(band)
        } else {
          model += band
          bands.put(band)
        }
        bands.checkInvariants()
        assert(bands.least == (if (model.isEmpty) BandSet.NoBand else model.head))
      }
    }
  }
}
