package shedjoin.sim

import java.util.SplittableRandom

import scala.collection.mutable

import shedjoin.core.join.Side

/** Streams whose rows of both sides are met by later rows of the other one, by their age: what equations 2 and 3 of paper 1
  * are about before `r2 = 0`.
  *
  * Every other row of a side has a value of its own; the rest look for one of those on the other side, of an age drawn
  * by its curve. A policy can not tell which rows are which, so what rows of an age expect is the mean of both.
  *
  * @param rates rows a tick, by side
  * @param windows how many ticks a row is met, by side
  * @param shapes how many of its partners a row meets in each of equal parts of its window, by side
  */
final case class BothWays(rates: Seq[Double], windows: Seq[Long], shapes: Seq[Seq[Double]]) {
  import BothWays.Seeking

  val within: Within = Within(before = windows(Side.Right), after = windows(Side.Left))

  /** How many rows the window of a side holds. */
  def content(side: Int): Double = rates(side) * windows(side)

  /** How many partners a row of `side` expects in each part. */
  def expected(side: Int): Seq[Double] = {
    val partners = Seeking * rates(Side.other(side)) / rates(side)
    shapes(side).map(_ * partners / shapes(side).sum)
  }

  def trace(ticks: Long, seed: Long): Trace = {
    val random = new SplittableRandom(seed)
    val times = rates.map(arrivals(_, ticks, random))
    val seeks = times.map(_.map(_ => random.nextDouble() < Seeking))
    val owners = Seq(0, 1).map(side => times(side).indices.filterNot(seeks(side)(_)).toArray)
    def sought(side: Int, now: Long): Option[Long] = {
      val other = Side.other(side)
      val part = drawn(shapes(other), random)
      val width = windows(other).toDouble / shapes(other).size
      val of = owners(other)
      val from = firstAfter(of, times(other), now - ((part + 1) * width).toLong)
      val until = firstAfter(of, times(other), now - (part * width).toLong)
      Option.when(from < until)(2L * of(random.nextInt(from, until)) + other)
    }
    val values = Seq(0, 1).map { side =>
      times(side).indices.map { i =>
        val own = 2L * i + side
        if (seeks(side)(i)) sought(side, times(side)(i)).getOrElse(-1 - own) else own
      }.toArray
    }
    Trace(TraceSide(times(0), values(0)), TraceSide(times(1), values(1)), isStepwise = false)
  }

  /** Gaps of half to one and a half of their mean. */
  private def arrivals(rate: Double, ticks: Long, random: SplittableRandom): Array[Long] = {
    val times = mutable.ArrayBuilder.make[Long]
    var now = 0.0
    while (now < ticks) {
      now += random.nextDouble(.5, 1.5) / rate
      times += now.toLong
    }
    times.result()
  }

  private def drawn(weights: Seq[Double], random: SplittableRandom): Int = {
    val at = random.nextDouble() * weights.sum
    math.min(weights.scanLeft(0.0)(_ + _).tail.indexWhere(_ > at), weights.size - 1)
  }

  /** The place in `of` of the first row later than `time`. */
  private def firstAfter(of: Array[Int], times: Array[Long], time: Long): Int = {
    var low = 0
    var high = of.length
    while (low < high) {
      val middle = (low + high) >>> 1
      if (times(of(middle)) <= time) low = middle + 1 else high = middle
    }
    low
  }
}

object BothWays {

  /** Which part of the rows looks for others. */
  private val Seeking = .5
}
