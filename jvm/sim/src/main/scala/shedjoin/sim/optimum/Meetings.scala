package shedjoin.sim.optimum

import scala.collection.mutable.ArrayBuilder

import shedjoin.core.join.Side
import shedjoin.sim._

/** When the rows of a trace can meet partners, whichever of them are stored.
  *
  * Rows are numbered, the left ones first; steps count from 0. Which row of one side and key is stored makes no difference
  * to a partner, so the steps at which partners come are those of a side and key; a row meets those of them that lie after
  * its own step and in its life. O(rows log rows) in all.
  */
final private[optimum] class Meetings(trace: Trace, settings: SimSettings) {
  private val arrivals = new Array[Int](trace.rows)

  /** The ticks of the steps. */
  private val ticks: Array[Long] = {
    val ticks = new ArrayBuilder.ofLong
    val steps = new Steps(trace)
    while (steps.next()) {
      steps.eachRow((side, place) => arrivals(number(side, place)) = ticks.length)
      ticks += steps.tick
    }
    ticks.result()
  }

  def steps: Int = ticks.length

  private def number(side: Int, place: Int): Int = if (side == Side.Left) place else trace.left.size + place

  /** The chains of one side. */
  def chains(side: Int): Iterator[Chain] = {
    val rows = placesByKey(side)
    val partners = placesByKey(Side.other(side))
    Iterator.range(0, trace.keyCount).flatMap(key => chains(side, rows(key), partners(key)))
  }

  /** The places of one side's rows by the numbers of their keys, in the order of their steps. */
  private def placesByKey(side: Int): Array[Array[Int]] = {
    val places = Array.fill(trace.keyCount)(new ArrayBuilder.ofInt)
    trace.keyNumbers(side).zipWithIndex.foreach { case (key, place) => places(key) += place }
    places.map(_.result())
  }

  private def chains(side: Int, rows: Array[Int], partners: Array[Int]): Iterable[Chain] = {
    val (at, counts) = comings(Side.other(side), partners)
    val chains = new Chains(at, counts)
    rows.foreach { place =>
      val row = number(side, place)
      val first = Meetings.upTo(at, arrivals(row))
      val last = Meetings.upTo(at, lastStep(side, place)) - 1
      if (first <= last) chains.add(row, arrivals(row), first, last)
    }
    chains.all
  }

  /** The steps at which rows of one side and key come and count, and how many do. */
  private def comings(side: Int, places: Array[Int]): (Array[Int], Array[Int]) = {
    val counting =
      if (settings.count.side(side)) places.map(place => arrivals(number(side, place))).filter(isCounting)
      else Array.empty[Int]
    val at = counting.distinct
    val counts = new Array[Int](at.length)
    counting.foreach(step => counts(Meetings.upTo(at, step) - 1) += 1)
    (at, counts)
  }

  private def isCounting(step: Int): Boolean = settings.countsAt(ticks(step) - trace.firstTick)

  private def lastStep(side: Int, place: Int): Int =
    Meetings.upTo(ticks, settings.within.lastTick(trace, side, place)) - 1
}

private object Meetings {

  /** How many of the sorted numbers are at most `most`. O(log numbers). */
  def upTo(numbers: Array[Int], most: Int): Int = upTo(numbers.length, numbers(_) <= most)

  /** The same of numbers of which some may be equal. */
  def upTo(numbers: Array[Long], most: Long): Int = upTo(numbers.length, numbers(_) <= most)

  private def upTo(count: Int, isIn: Int => Boolean): Int = {
    var low = 0
    var high = count
    while (low < high) {
      val middle = (low + high) >>> 1
      if (isIn(middle)) low = middle + 1 else high = middle
    }
    low
  }
}
