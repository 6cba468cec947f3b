package shedjoin.core.model

import java.io.{ByteArrayInputStream, ByteArrayOutputStream, DataInputStream, DataOutputStream}

import scala.collection.mutable

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.{Budget, Seeded}

class FrequencySketchSuite extends AnyFunSuite with Seeded {

  test("a count is never too small, and right where there are few values") {
    histories(30) { random =>
      val values = if (random.nextBoolean()) 20 else 4000
      val sketch = new FrequencySketch(256, Budget.unlimited)
      val counts = mutable.HashMap.empty[(Int, Long), Int].withDefaultValue(0)
      (1 to 3000).foreach { _ =>
        val arrival = (random.nextInt(2), random.nextInt(values).toLong - 10)
        counts(arrival) += 1
        sketch.add(arrival._1, arrival._2)
      }
      counts.foreach { case ((side, value), count) =>
        val told = sketch.count(side, value)
        assert(if (values == 20) told == count else told >= count)
      }
    }
  }

  test("what is saved is restored, in memory that does not grow") {
    val budget = Budget.unlimited
    val sketch = new FrequencySketch(256, budget)
    val used = budget.usedBytes
    (1 to 5000).foreach(i => sketch.add(i & 1, i.toLong % 700))
    val bytes = new ByteArrayOutputStream
    sketch.save(new DataOutputStream(bytes))
    val restored = new FrequencySketch(256, Budget.unlimited)
    restored.restore(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray)))
    (0 to 800).foreach(v => assert(restored.count(v & 1, v.toLong) == sketch.count(v & 1, v.toLong)))
    assert(budget.usedBytes == used)
  }
}
