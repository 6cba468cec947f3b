package shedjoin.core.model

import java.io.{DataInput, DataOutput}

import shedjoin.core.Budget

/** The age curve of one side, learned on line: how many partners rows met at each age, by how long rows of that age were
  * watched, so that ages up to which few rows are kept count as much as others.
  *
  * Representation: time is cut into buckets of a twentieth of the window; a row's lag is how many buckets lie between now
  * and its arrival. `watched` has the weight of the watched rows by bucket of arrival, in a ring; `matches` and `exposure`
  * (rows x buckets) go by lag, decayed at each new bucket, twice: slowly, which is what is told, and fast. Where the
  * fast ones could not come from what the slow ones say, the slow ones begin anew from the fast ones, so that a steady
  * stream is known well and a change is followed within two windows.
  */
final class AgeLearner(budget: Budget) extends AgeModel {
  import AgeLearner._
  import AgeModel.Parts
  budget.reserve(Budget.arrayBytes(Lags, 8) * 5)
  private val watched = new Array[Double](Lags)
  private val slowMatches, slowExposure, fastMatches, fastExposure = new Array[Double](Lags)
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
    Seq(watched, slowMatches, slowExposure, fastMatches, fastExposure).foreach(java.util.Arrays.fill(_, 0.0))
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

  def entered(weight: Double): Unit = if (tick > since && width > 0) {
    watched(slot(bucket)) += weight
    expose(0, -weight * passed)
  }

  def left(arrival: Long, weight: Double): Unit = {
    val lag = lagOf(arrival)
    if (lag != Unknown) {
      watched(slot(bucket - lag)) -= weight
      expose(lag, weight * passed)
    }
  }

  def met(arrival: Long, weight: Double): Unit = {
    val lag = lagOf(arrival)
    if (lag != Unknown) {
      slowMatches(lag) += weight
      fastMatches(lag) += weight
    }
  }

  def expected(part: Int): Double = (rate(part) + rate(part + 1)) / 2

  /** The part of the bucket that has passed. */
  private def passed: Double = (tick - bucket * width).toDouble / width

  private def lagOf(arrival: Long): Int =
    if (width == 0 || arrival <= since) Unknown
    else {
      val lag = bucket - Math.floorDiv(arrival, width)
      if (lag < Lags) lag.toInt else Unknown
    }

  private def slot(bucket: Long): Int = Math.floorMod(bucket, Lags.toLong).toInt

  private def expose(lag: Int, rows: Double): Unit = {
    slowExposure(lag) += rows
    fastExposure(lag) += rows
  }

  /** Ends a bucket, whose rows are then one bucket older. */
  private def close(ended: Long): Unit = {
    var lag = 0
    while (lag < Lags) {
      expose(lag, watched(slot(ended - lag)))
      lag += 1
    }
    if (hasChanged) startAnew()
    lag = 0
    while (lag < Lags) {
      slowMatches(lag) *= SlowDecay
      slowExposure(lag) *= SlowDecay
      fastMatches(lag) *= FastDecay
      fastExposure(lag) *= FastDecay
      lag += 1
    }
    watched(slot(ended + 1)) = 0
  }

  /** With about one match more than was seen, at the rate of all ages, so that little is made of little. */
  private def rate(lag: Int): Double = {
    val mean = meanRate
    if (mean == 0) 0 else (slowMatches(lag) + 1) / (math.max(slowExposure(lag), 0) + 1 / mean)
  }

  private def meanRate: Double = {
    val rows = sum(slowExposure)
    if (rows <= 0) 0 else sum(slowMatches) / rows
  }

  private def sum(of: Array[Double]): Double = {
    var total = 0.0
    var lag = 0
    while (lag < Lags) {
      total += of(lag)
      lag += 1
    }
    total
  }

  /** A chi-square of the fast counts against the slow rates, far above what chance makes of it. */
  private def hasChanged: Boolean = {
    var distance = 0.0
    var lag = 0
    while (lag < Lags) {
      val expected = rate(lag) * math.max(fastExposure(lag), 0)
      val off = fastMatches(lag) - expected
      distance += off * off / (expected + 1)
      lag += 1
    }
    distance > MostDistance * Lags
  }

  private def startAnew(): Unit = {
    System.arraycopy(fastMatches, 0, slowMatches, 0, Lags)
    System.arraycopy(fastExposure, 0, slowExposure, 0, Lags)
  }

  def save(out: DataOutput): Unit = {
    Seq(cell, since, tick, bucket).foreach(out.writeLong)
    out.writeInt(cells)
    Seq(watched, slowMatches, slowExposure, fastMatches, fastExposure).foreach(_.foreach(out.writeDouble))
  }

  def restore(in: DataInput): Unit = {
    cell = in.readLong()
    since = in.readLong()
    tick = in.readLong()
    bucket = in.readLong()
    cells = in.readInt()
    width = partTicks
    Seq(watched, slowMatches, slowExposure, fastMatches, fastExposure).foreach { of =>
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
