package shedjoin.bench.data

/** Random numbers as a function of their place, so that any row can be made without those before it. */
object Mix {
  private val Gamma = 0x9e3779b97f4a7c15L

  /** 64 random bits; the finalizer of SplitMix64. O(1). */
  def bits(seed: Long, place: Long): Long = {
    var z = seed + (place + 1) * Gamma
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL
    z ^ (z >>> 31)
  }

  /** A number from 0 until `bound`, which is below 2^31^, out of random bits. O(1). */
  def below(bits: Long, bound: Long): Long = ((bits >>> 33) * bound) >>> 31

  /** A fraction of one out of random bits. O(1). */
  def fraction(bits: Long): Double = (bits >>> 11) * (1.0 / (1L << 53))
}
