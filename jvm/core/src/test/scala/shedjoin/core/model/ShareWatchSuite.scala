package shedjoin.core.model

import java.io.{ByteArrayInputStream, ByteArrayOutputStream, DataInputStream, DataOutputStream}

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.{Budget, Seeded}

class ShareWatchSuite extends AnyFunSuite with Seeded {
  private val latestRows = 256

  /** Tells a watch which share of the rows so far had the value that comes, as a sketch without decay would. */
  final private class Counted(values: Int) {
    val watch = new ShareWatch(Budget.unlimited)
    private val counts = new Array[Long](values)
    private var all = 0L

    def next(value: Int, side: Int = 0): Boolean = {
      counts(value) += 1
      all += 1
      val isChange = watch.isChange(side, counts(value).toDouble / all)
      if (isChange) forget()
      isChange
    }

    private def forget(): Unit = {
      counts.indices.foreach(counts(_) = 0)
      all = 0
    }
  }

  /** Values by Zipf's law, the commonest one first. */
  private def zipf(values: Int, skew: Double): Random => Int = {
    val upTo = (1 to values).map(math.pow(_, -skew)).scanLeft(0.0)(_ + _).tail.toArray
    random => {
      val found = java.util.Arrays.binarySearch(upTo, random.nextDouble() * upTo.last)
      math.min(if (found >= 0) found else -found - 1, values - 1)
    }
  }

  test("values that stay are no change, be they even, skewed, few or many") {
    histories(12) { random =>
      val values = Seq(1, 2, 50, 5000)(random.nextInt(4))
      val draw = zipf(values, Seq(0.0, .7, 1.2, 2.0)(random.nextInt(4)))
      val counted = new Counted(values)
      assert((1 to 20000).count(_ => counted.next(draw(random))) == 0, s"$values values")
    }
  }

  test("other values are a change within as many rows as are the latest, once, and so is the next one") {
    histories(12) { random =>
      val half = 50
      val draw = zipf(half, Seq(0.0, .7, 1.2)(random.nextInt(3)))
      val counted = new Counted(2 * half)
      (0 to 3).foreach { change =>
        val shift = half * (change % 2)
        val found = (1 to 3000 + random.nextInt(3000)).filter(_ => counted.next(shift + draw(random)))
        assert(found.size == (if (change == 0) 0 else 1), s"change $change: $found")
        assert(found.forall(_ <= 2 * latestRows), s"change $change: $found")
      }
    }
  }

  test("what comes on one side is no change on the other") {
    histories(5) { random =>
      val watch = new ShareWatch(Budget.unlimited)
      (1 to 2000).foreach(_ => assert(!watch.isChange(0, .5) && !watch.isChange(1, .1 + .01 * random.nextDouble())))
      assert((1 to 500).exists(_ => watch.isChange(0, .05)))
      assert((1 to 500).forall(_ => !watch.isChange(1, .1 + .01 * random.nextDouble())))
    }
  }

  test("a fall by a quarter is none, by a half is one; a rise never is") {
    def isFound(share: Double): Boolean = {
      val watch = new ShareWatch(Budget.unlimited)
      (1 to 4000).foreach(_ => watch.isChange(0, .3))
      (1 to 3 * latestRows).exists(_ => watch.isChange(0, share))
    }
    assert(!isFound(.225) && isFound(.15) && !isFound(.6))
  }

  test("what is saved is restored, and a watch is counted") {
    histories(10) { random =>
      val budget = Budget.unlimited
      val watch = new ShareWatch(budget)
      assert(budget.usedBytes == 4 * Budget.arrayBytes(2, 8))
      (1 to random.nextInt(3000)).foreach(_ => watch.isChange(random.nextInt(2), .1 + random.nextDouble() / 10))
      val bytes = new ByteArrayOutputStream
      watch.save(new DataOutputStream(bytes))
      val restored = new ShareWatch(Budget.unlimited)
      restored.restore(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray)))
      (1 to 1500).foreach { i =>
        val (side, share) = (random.nextInt(2), if (i < 700) .12 else .02)
        assert(watch.isChange(side, share) == restored.isChange(side, share), s"row $i")
      }
    }
  }
}
