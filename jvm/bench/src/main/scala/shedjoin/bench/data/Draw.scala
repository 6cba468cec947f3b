package shedjoin.bench.data

/** Numbers drawn from random bits. */
object Draw {

  /** A number from 0 until `bound`, which is below 2^31^. O(1). */
  def below(bits: Long, bound: Long): Long = ((bits >>> 33) * bound) >>> 31

  /** A fraction of one. O(1). */
  def fraction(bits: Long): Double = (bits >>> 11) * (1.0 / (1L << 53))
}
