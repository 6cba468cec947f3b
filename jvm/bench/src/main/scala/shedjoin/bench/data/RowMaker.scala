package shedjoin.bench.data

import shedjoin.core.Mixer

import org.apache.spark.sql.execution.vectorized.WritableColumnVector

/** Makes the rows of a side, a column at a time; every row is a function of the seed and of its place in the stream. */
final class RowMaker(of: SideRows) {
  import RowMaker._

  private val seed = Mixer.at(of.seed, of.name.hashCode.toLong)
  private val zipf = if (of.zipf > 0) Zipf.of(of.keys, of.zipf) else null

  def key(row: Long): Long = {
    val bits = Mixer.at(seed, row)
    of.firstKey + (if (zipf == null) Draw.below(bits, of.keys.toLong) else zipf.rank(bits).toLong)
  }

  /** Microseconds since 1970. */
  def time(row: Long): Long = {
    val start = FirstMs + row / of.rowsABatch * of.stepMs
    val within = Draw.below(Mixer.at(seed + 1, row), of.stepMs * 1000)
    val early = if (of.jitterMs == 0) 0 else Draw.below(Mixer.at(seed + 2, row), of.jitterMs) * 1000
    start * 1000 + within - early
  }

  def value(row: Long): Long = Mixer.at(seed + 3, row)

  /** Puts rows `first` until `first + count` into the columns. */
  def fill(columns: Array[_ <: WritableColumnVector], first: Long, count: Int): Unit = {
    columns.foreach(_.reset())
    var place = 0
    while (place < count) {
      val row = first + place
      columns(0).putLong(place, key(row))
      columns(1).putLong(place, time(row))
      columns(2).putLong(place, value(row))
      place += 1
    }
    if (of.textBytes > 0) fillTexts(columns(3), first, count)
  }

  private def fillTexts(texts: WritableColumnVector, first: Long, count: Int): Unit = {
    var place = 0
    while (place < count) {
      val from = Draw.below(value(first + place), (Letters.length - of.textBytes).toLong).toInt
      texts.putByteArray(place, Letters, from, of.textBytes)
      place += 1
    }
  }
}

object RowMaker {

  /** 2026-01-01 00:00:00 UTC. */
  val FirstMs = 1767225600000L

  /** Texts are cut out of this. */
  private val Letters = Array.tabulate(1 << 16)(place => ('a' + Draw.below(Mixer.at(0, place.toLong), 26)).toByte)
}
