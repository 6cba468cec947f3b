package shedjoin.core.ledger

import shedjoin.core.join.Reach

/** What a ledger is made for.
  *
  * @param bytes what it may take, all in all
  * @param leftReach where, seen from a left row, the times of the right rows lie that can match it
  * @param isOuter whether null rows must be told certain or not, which takes a quarter of the bytes
  */
final case class LedgerSettings(bytes: Long, leftReach: Reach, rightReach: Reach, isOuter: Boolean, seed: Long) {
  require(
    bytes >= LedgerSettings.LeastBytes,
    s"[SHEDJOIN_LEDGER_TOO_SMALL] The ledger has $bytes bytes; the least is ${LedgerSettings.LeastBytes}."
  )

  /** Widths of the sketch and the record, powers of 2. */
  private[ledger] val sketchWidth: Int = LedgerSettings.widest(bytes / 4)(KeySketch.bytes)
  private[ledger] val recordWidth: Int = if (isOuter) LedgerSettings.widest(bytes / 4)(ShedRecord.bytes) else 1

  /** How many cells the rest has room for. */
  private[ledger] val cells: Int = {
    val rest = bytes - KeySketch.bytes(sketchWidth) - ShedRecord.bytes(recordWidth) - MatchAges.bytes - LossSums.bytes
    var low = 1
    var high = math.min(rest / (4 * Cell.Stride), LedgerSettings.MostCells.toLong).toInt
    while (low < high) {
      val middle = (low + high + 1) >>> 1
      if (GhostCells.bytes(middle) <= rest) low = middle else high = middle - 1
    }
    low
  }
}

object LedgerSettings {
  val LeastBytes: Long = 8 << 10
  private val MostCells = 1 << 26

  /** For a window of event time: the right row's lies in [left's - before, left's + after]. */
  def within(bytes: Long, before: Long, after: Long, isOuter: Boolean, seed: Long): LedgerSettings =
    LedgerSettings(bytes, Reach(-before, after), Reach(-after, before), isOuter, seed)

  private def widest(bytes: Long)(bytesOf: Int => Long): Int = {
    var width = 2
    while (width < (1 << 24) && bytesOf(2 * width) <= bytes) width *= 2
    width
  }
}
