package shedjoin.bench.data

/** Ranks from 0 until `ranks`, where rank r has the probability (r + 1)^-exponent^, scaled; drawn exactly.
  *
  * Walker's alias method: each slot is kept with its own probability, and otherwise stands for its alias.
  */
final class Zipf(ranks: Int, exponent: Double) {
  private val keep = new Array[Float](ranks)
  private val alias = new Array[Int](ranks)
  fill()

  /** The rank that these random bits stand for. O(1). */
  def rank(bits: Long): Int = {
    val slot = Draw.below(bits, ranks.toLong).toInt
    if (Draw.fraction(bits << 31) < keep(slot)) slot else alias(slot)
  }

  private def fill(): Unit = {
    val weights = Array.tabulate(ranks)(r => math.pow(r + 1.0, -exponent))
    val scale = ranks / weights.sum
    val share = weights.map(_ * scale)
    val order = new Array[Int](ranks)
    var small = 0
    var large = ranks
    for (rank <- 0 until ranks)
      if (share(rank) < 1) { order(small) = rank; small += 1 }
      else { large -= 1; order(large) = rank }
    var next = 0
    while (next < small && small < ranks) {
      val low = order(next)
      val high = order(small)
      keep(low) = share(low).toFloat
      alias(low) = high
      share(high) -= 1 - share(low)
      // The slot that gave falls among the small ones when it has less than its own part left.
      if (share(high) < 1) small += 1
      next += 1
    }
    while (next < ranks) { keep(order(next)) = 1; next += 1 }
  }
}

object Zipf {
  private val made = new java.util.concurrent.ConcurrentHashMap[(Int, Double), Zipf]

  /** The table of these parameters, made once. */
  def of(ranks: Int, exponent: Double): Zipf =
    made.computeIfAbsent((ranks, exponent), _ => new Zipf(ranks, exponent))
}
