package shedjoin.sim.generate

import java.util.SplittableRandom

import scala.collection.mutable

import shedjoin.sim.{Trace, TraceSide, Within}

/** Streams of paper 1, section 6.2: left rows with a window of 500 time units, at 0.8 of them a unit; right rows, which
  * only look for left ones, at five times the rate. A unit is 1000 ticks.
  */
object Windowed {
  val unit = 1000L
  val window: Within = Within(0, 500 * unit)

  /** The paper's gaps from 1 / 2r to 2 / r have a mean of 1.25 / r. */
  val rate = 0.8

  private val ratio = 5

  /** Left rows with values of their own; the partners of each come by its age. */
  def byAge(parts: Array[Double], units: Int, seed: Long): Trace = {
    val random = new SplittableRandom(seed)
    val left = arrivals(1, units, random)
    val draw = new Noises.Draw(parts)
    val width = window.after / parts.length
    val right = arrivals(ratio, units, random)
    val values = right.map { now =>
      val part = draw.next(random)
      // Ages up to the end of the part, from right after its start.
      val from = lowerBound(left, now - (part + 1) * width)
      val until = lowerBound(left, now - part * width)
      if (from < until) random.nextInt(from, until).toLong else -1L
    }
    Trace(TraceSide(left, left.indices.map(_.toLong).toArray), TraceSide(right, values), isStepwise = false)
  }

  /** Values of 50 by Zipf's law, the rank of a value on the right given by its rank on the left. */
  def zipf(skew: Double, rightRank: Int => Int, units: Int, seed: Long): Trace = {
    val random = new SplittableRandom(seed)
    val draw = new Noises.Draw(frequencies(skew))
    val left = arrivals(1, units, random)
    val right = arrivals(ratio, units, random)
    val valueOfRank = (0 until domain).map(rightRank).zipWithIndex.sorted.map(_._2.toLong)
    Trace(
      TraceSide(left, left.map(_ => draw.next(random).toLong)),
      TraceSide(right, right.map(_ => valueOfRank(draw.next(random)))),
      isStepwise = false
    )
  }

  val domain = 50

  /** How likely the value of each rank is. */
  def frequencies(skew: Double): Array[Double] = {
    val weights = (1 to domain).map(math.pow(_, -skew))
    weights.map(_ / weights.sum).toArray
  }

  /** Common values on the left are as common on the right (DC), as rare (IC), or either (UC). */
  def correlated(rank: Int): Int = rank
  def inverse(rank: Int): Int = domain - 1 - rank
  def uncorrelated(seed: Long): Int => Int = shuffled(domain, new SplittableRandom(~seed))

  /** The whole numbers below `size`, each order of them as likely as any other. */
  private[generate] def shuffled(size: Int, random: SplittableRandom): Array[Int] = {
    val order = Array.range(0, size)
    (size - 1 to 1 by -1).foreach { i =>
      val other = random.nextInt(i + 1)
      val moved = order(i)
      order(i) = order(other)
      order(other) = moved
    }
    order
  }

  private def arrivals(rate: Int, units: Int, random: SplittableRandom): Array[Long] = {
    val times = mutable.ArrayBuilder.make[Long]
    var now = 0.0
    while (now < units.toDouble * unit) {
      now += unit * random.nextDouble(0.5, 2.0) / rate
      times += now.toLong
    }
    times.result()
  }

  /** How many times are less than `time`. */
  private def lowerBound(times: Array[Long], time: Long): Int = {
    var low = 0
    var high = times.length
    while (low < high) {
      val middle = (low + high) >>> 1
      if (times(middle) < time) low = middle + 1 else high = middle
    }
    low
  }
}
