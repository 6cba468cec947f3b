package shedjoin.core.model

import java.io.{DataInput, DataOutput}

import shedjoin.core.Budget

/** The age curve of one side, learned on line: how many partners rows met at each age, by how long rows of that age were
  * watched, so that ages up to which few rows are kept count as much as others.
  *
  * Representation: time is cut into buckets as long as a part of the window; a row's lag is how many buckets lie between
  * now and its arrival. `watched` has the weight of the watched rows by bucket of arrival, in a ring, and `late` their weight
  * times the part of that bucket that had passed when they came: at that point of each bucket a row passes from one part of
  * the window to the next, so that `exposure` (rows x buckets) goes by age exactly, as `matches` does. Both are
  * decayed at each new bucket, twice: slowly, which is what is told, and fast. Where the fast ones could not come from
  * what the slow ones say, the slow ones begin anew from the fast ones, so that a steady stream is known well and a
  * change is followed within two windows.
  */
final class AgeLearner(budget: Budget) extends AgeModel {
  import AgeLearner._
  import AgeModel.Parts
  budget.reserve(2 * Budget.arrayBytes(Lags, 8) + 4 * Budget.arrayBytes(Parts, 8))
  private val watched, late = new Array[Double](Lags)
  private val slowMatches, slowExposure, fastMatches, fastExposure = new Array[Double](Parts)
  private var cell = 0L
  private var cells = 0
  private var width = 0L
  private var since = Long.MinValue
  private var tick = Long.MinValue
  private var bucket = 0L

  def cellTicks: Long = cell
  def cellsAPart: Int = cells
  def needsRows: Boolean = true

  def windowIs(ticks: Long): Unit = if (ticks > width * Parts) {
    cell = AgeModel.cellTicks(ticks)
    cells = AgeModel.cellsAPart(ticks, cell)
    width = partTicks
    since = tick
    bucket = Math.floorDiv(tick, width)
    Seq(watched, late, slowMatches, slowExposure, fastMatches, fastExposure).foreach(java.util.Arrays.fill(_, 0.0))
  }

  def advance(next: Long): Unit = {
    tick = next
    if (width > 0) {
      val target = Math.floorDiv(next, width)
      var steps = math.min(target - bucket, FarBeyond)
      while (steps > 0) {
        close(target - steps)
        steps -= 1
      }
      bucket = target
    }
  }

  def entered(weight: Double): Unit = if (tick > since && width > 0) watch(bucket, weight, passed(tick))

  def left(arrival: Long, weight: Double): Unit = {
    val lag = lagOf(arrival)
    if (lag != Unknown) {
      val came = passed(arrival)
      watch(bucket - lag, -weight, came)
      if (lag > 0) expose(lag - 1, weight * math.min(passed(tick), came))
      expose(lag, weight * math.max(passed(tick) - came, 0))
    }
  }

  def met(arrival: Long, weight: Double): Unit = if (width > 0 && arrival > since) {
    val part = (tick - arrival) / width
    if (part < Parts) {
      slowMatches(part.toInt) += weight
      fastMatches(part.toInt) += weight
    }
  }

  def expected(part: Int): Double = rate(part)

  /** The part of its bucket that has passed at a tick. */
  private def passed(at: Long): Double = Math.floorMod(at, width).toDouble / width

  private def watch(from: Long, weight: Double, came: Double): Unit = {
    watched(slot(from)) += weight
    late(slot(from)) += weight * came
  }

  private def lagOf(arrival: Long): Int =
    if (width == 0 || arrival <= since) Unknown
    else {
      val lag = bucket - Math.floorDiv(arrival, width)
      if (lag < Lags) lag.toInt else Unknown
    }

  private def slot(bucket: Long): Int = Math.floorMod(bucket, Lags.toLong).toInt

  /** Rows were watched for so many buckets in a part of the window. */
  private def expose(part: Int, rows: Double): Unit = if (part < Parts) {
    slowExposure(part) += rows
    fastExposure(part) += rows
  }

  /** Ends a bucket, whose rows are then one bucket older. */
  private def close(ended: Long): Unit = {
    var lag = 0
    while (lag < Lags) {
      val at = slot(ended - lag)
      if (lag > 0) expose(lag - 1, late(at))
      expose(lag, watched(at) - late(at))
      lag += 1
    }
    if (hasChanged) startAnew()
    var part = 0
    while (part < Parts) {
      slowMatches(part) *= SlowDecay
      slowExposure(part) *= SlowDecay
      fastMatches(part) *= FastDecay
      fastExposure(part) *= FastDecay
      part += 1
    }
    watched(slot(ended + 1)) = 0
    late(slot(ended + 1)) = 0
  }

  /** With about one match more than was seen, at the rate of all ages, so that little is made of little. */
  private def rate(part: Int): Double = {
    val mean = meanRate
    if (mean == 0) 0 else (slowMatches(part) + 1) / (math.max(slowExposure(part), 0) + 1 / mean)
  }

  private def meanRate: Double = {
    val rows = sum(slowExposure)
    if (rows <= 0) 0 else sum(slowMatches) / rows
  }

  private def sum(of: Array[Double]): Double = {
    var total = 0.0
    var part = 0
    while (part < Parts) {
      total += of(part)
      part += 1
    }
    total
  }

  /** A chi-square of the fast counts against the slow rates, far above what chance makes of it. */
  private def hasChanged: Boolean = {
    var distance = 0.0
    var part = 0
    while (part < Parts) {
      val expected = rate(part) * math.max(fastExposure(part), 0)
      val off = fastMatches(part) - expected
      distance += off * off / (expected + 1)
      part += 1
    }
    distance > MostDistance * Parts
  }

  private def startAnew(): Unit = {
    System.arraycopy(fastMatches, 0, slowMatches, 0, Parts)
    System.arraycopy(fastExposure, 0, slowExposure, 0, Parts)
  }

  def save(out: DataOutput): Unit = {
    Seq(cell, since, tick, bucket).foreach(out.writeLong)
    out.writeInt(cells)
    Seq(watched, late, slowMatches, slowExposure, fastMatches, fastExposure).foreach(_.foreach(out.writeDouble))
  }

  def restore(in: DataInput): Unit = {
    cell = in.readLong()
    since = in.readLong()
    tick = in.readLong()
    bucket = in.readLong()
    cells = in.readInt()
    width = partTicks
    Seq(watched, late, slowMatches, slowExposure, fastMatches, fastExposure).foreach { of =>
      of.indices.foreach(of(_) = in.readDouble())
    }
  }
}

private object AgeLearner {
  private val Lags = AgeModel.Parts + 1
  private val Unknown = -1
  private val FarBeyond = 20L * AgeModel.Parts

  /** By half in 8 windows, and in half a window. */
  private val SlowDecay = math.pow(.5, 1.0 / (8 * AgeModel.Parts))
  private val FastDecay = math.pow(.5, 2.0 / AgeModel.Parts)
  private val MostDistance = 4.0
}
