package shedjoin.core.model

import java.io.{ByteArrayInputStream, ByteArrayOutputStream, DataInputStream, DataOutputStream}

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite
import shedjoin.core.Budget

class AgeLearnerSuite extends AnyFunSuite {
  private val window = 400
  private val parts = AgeModel.Parts

  /** A row comes a tick, and is shed at an age that is drawn, so that few are watched at high ages; matches come by age. */
  final private class Stream(seed: Long) {
    val learner = new AgeLearner(Budget.unlimited)
    private val random = new Random(seed)
    private var rows = List.empty[(Long, Long)]
    private var tick = 0L
    learner.advance(0)
    learner.windowIs(window.toLong)

    def run(windows: Int, curve: Int => Double): this.type = {
      (1 to windows * window).foreach { _ =>
        tick += 1
        learner.advance(tick)
        rows.foreach { case (arrival, _) =>
          val part = ((tick - arrival) * parts / window).toInt
          if (part < parts && random.nextDouble() < curve(part)) learner.met(arrival, 1)
        }
        val (going, staying) = rows.partition(_._2 <= tick)
        going.foreach(row => learner.left(row._1, 1))
        rows = staying
        learner.entered(1)
        rows ::= ((tick, tick + math.min(window.toDouble, -120 * math.log(random.nextDouble())).toLong))
      }
      this
    }

    /** How far the curve is off, as a part of its own length. */
    def error(curve: Int => Double): Double = {
      val off = (0 until parts).map { part =>
        val said = curve(part) * window / parts
        math.pow(learner.expected(part) - said, 2) -> said * said
      }
      math.sqrt(off.map(_._1).sum / off.map(_._2).sum)
    }
  }

  private def rising(part: Int): Double = .02 * part / parts
  private def falling(part: Int): Double = .02 * (parts - part) / parts

  test("the curve is found though few rows are watched at high ages") {
    val found = (1 to 5).map(seed => new Stream(seed.toLong).run(12, rising).error(rising))
    assert(found.sum / 5 < .2, found)
  }

  test("two windows after a change the new curve is found") {
    val found = (1 to 5).map(seed => new Stream(seed.toLong).run(8, falling).run(2, rising).error(rising))
    assert(found.sum / 5 < .35, found)
  }

  /** A row a tick, met once, in the middle of one part of the window; all but one in 50 are shed when that part is over. */
  test("the one part with partners is told from those beside it") {
    val learner = new AgeLearner(Budget.unlimited)
    val part = window / parts
    val peak = 10
    learner.advance(0)
    learner.windowIs(window.toLong)
    def isThere(arrival: Int): Boolean = arrival > 0
    (1 to 12 * window).foreach { tick =>
      learner.advance(tick.toLong)
      val meeting = tick - peak * part - part / 2
      if (isThere(meeting)) learner.met(meeting.toLong, 1)
      val over = tick - (peak + 1) * part
      if (isThere(over) && over % 50 != 0) learner.left(over.toLong, 1)
      val old = tick - window
      if (isThere(old) && old % 50 == 0) learner.left(old.toLong, 1)
      learner.entered(1)
    }
    val curve = (0 until parts).map(learner.expected)
    assert(math.abs(curve(peak) - 1) < .01, curve)
    assert(curve.zipWithIndex.forall { case (partners, at) => at == peak || partners < .02 }, curve)
  }

  test("what is saved is restored") {
    val stream = new Stream(1).run(3, rising)
    val bytes = new ByteArrayOutputStream
    stream.learner.save(new DataOutputStream(bytes))
    val restored = new AgeLearner(Budget.unlimited)
    restored.restore(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray)))
    (0 until parts).foreach(part => assert(restored.expected(part) == stream.learner.expected(part)))
  }
}
