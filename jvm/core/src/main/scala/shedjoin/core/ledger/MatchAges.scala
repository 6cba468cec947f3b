package shedjoin.core.ledger

import java.io.{DataInput, DataOutput}

import shedjoin.core.Budget

/** How many partners a row meets by its age, kept or not: the age curve of each side (paper 1, definition 2.2).
  *
  * Ages are cut into equal bins over a row's life; where that has no bound, bins are doubled in width until all ages seen
  * fit. Each lapse of one bin's width, both what was met and how many rows were there to meet fade, to a half over all
  * bins. Rows that came while one bin's width lapsed are of two ages in each lapse: half of the time of the one, half of
  * the next.
  *
  * @param lives how long a row of each side can be met
  */
final private[ledger] class MatchAges(lives: Array[Long], budget: Budget) extends AgeCurveSource {
  import MatchAges._
  budget.reserve(bytes)
  private val widths = lives.map(life => if (life == Buckets.Ever) 1L else math.max(1L, life / Bins + 1))
  private val met, rows = new Array[Double](2 * Bins)

  /** The rows that came in each of the last lapses, the newest first. */
  private val came = new Array[Double](2 * (Bins + 1))
  private val lapses = Array(NoLapse, NoLapse)

  def bins: Int = Bins
  def binTicks(side: Int): Long = widths(side)

  def partners(side: Int, bin: Int): Double = {
    val at = side * Bins + bin
    if (rows(at) <= 0) 0 else met(at) / rows(at)
  }

  /** Time has come to `tick`. O(1) amortised over the lapses. */
  def advance(tick: Long): Unit = {
    advance(0, tick)
    advance(1, tick)
  }

  private def advance(side: Int, tick: Long): Unit = {
    val lapse = Math.floorDiv(tick, widths(side))
    if (lapses(side) == NoLapse) lapses(side) = lapse
    else if (lapse > lapses(side)) {
      var left = math.min(lapse - lapses(side), MostLapses)
      while (left > 0) {
        close(side)
        left -= 1
      }
      lapses(side) = lapse
    }
  }

  private def close(side: Int): Unit = {
    val first = side * (Bins + 1)
    var bin = 0
    while (bin < Bins) {
      val at = side * Bins + bin
      rows(at) = rows(at) * Fading + (came(first + bin) + came(first + bin + 1)) / 2
      met(at) *= Fading
      bin += 1
    }
    System.arraycopy(came, first, came, first + 1, Bins)
    came(first) = 0
  }

  def arrived(side: Int): Unit = came(side * (Bins + 1)) += 1

  /** Rows of `side` met so many partners at this age. O(1) amortised. */
  def matched(side: Int, age: Long, results: Double): Unit = {
    var bin = math.max(0L, age) / widths(side)
    while (bin >= Bins && lives(side) == Buckets.Ever) {
      widen(side)
      bin = math.max(0L, age) / widths(side)
    }
    met(side * Bins + math.min(bin, Bins - 1L).toInt) += results
  }

  private def widen(side: Int): Unit = {
    lapses(side) =
      if (lapses(side) == NoLapse) NoLapse else Math.floorDiv(lapses(side) * widths(side), widths(side) * 2)
    widths(side) *= 2
    join(met, side * Bins, Bins)
    join(rows, side * Bins, Bins)
    join(came, side * (Bins + 1), Bins)
    var bin = side * Bins
    // Twice as long a lapse is one lapse.
    while (bin < (side + 1) * Bins) {
      rows(bin) /= 2
      bin += 1
    }
    came(side * (Bins + 1) + Bins) = 0
  }

  private def join(values: Array[Double], from: Int, length: Int): Unit = {
    var i = 0
    while (i < length) {
      values(from + i) = if (2 * i + 1 < length) values(from + 2 * i) + values(from + 2 * i + 1) else 0
      i += 1
    }
  }

  def save(out: DataOutput): Unit = {
    (widths ++ lapses).foreach(out.writeLong)
    (met ++ rows ++ came).foreach(out.writeDouble)
  }

  def restore(in: DataInput): Unit = {
    Seq(widths, lapses).foreach(longs => longs.indices.foreach(longs(_) = in.readLong()))
    Seq(met, rows, came).foreach(doubles => doubles.indices.foreach(doubles(_) = in.readDouble()))
  }
}

private[ledger] object MatchAges {
  private val Bins = 32
  private val NoLapse = Long.MinValue
  private val Fading = math.pow(0.5, 1.0 / Bins)
  private val MostLapses = 8L * Bins

  val bytes: Long =
    2 * Budget.arrayBytes(2 * Bins, 8) + Budget.arrayBytes(2 * (Bins + 1), 8) + 2 * Budget.arrayBytes(2, 8)
}
