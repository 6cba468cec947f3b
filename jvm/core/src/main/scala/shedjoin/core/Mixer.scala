package shedjoin.core

/** Bits that look random, from what they stand for: SplitMix64 (Steele, Lea, Flood 2014). */
object Mixer {

  /** 2^64 over the golden ratio. */
  final val Golden = 0x9e3779b97f4a7c15L

  /** For numbers of which any two differ in a few bits. O(1). */
  def apply(bits: Long): Long = finish(bits * Golden)

  /** The number at a place, from 0 on, of the sequence that begins with this seed. O(1). */
  def at(seed: Long, place: Long): Long = finish(seed + (place + 1) * Golden)

  private def finish(bits: Long): Long = {
    var h = bits
    h = (h ^ (h >>> 30)) * 0xbf58476d1ce4e5b9L
    h = (h ^ (h >>> 27)) * 0x94d049bb133111ebL
    h ^ (h >>> 31)
  }
}
