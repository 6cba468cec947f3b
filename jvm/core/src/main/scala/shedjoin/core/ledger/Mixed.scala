package shedjoin.core.ledger

/** Bits that look random, from what they stand for: the finish of SplitMix64 (Steele, Lea, Flood 2014). */
private[ledger] object Mixed {

  def apply(bits: Long): Long = {
    var h = bits * 0x9e3779b97f4a7c15L
    h = (h ^ (h >>> 30)) * 0xbf58476d1ce4e5b9L
    h = (h ^ (h >>> 27)) * 0x94d049bb133111ebL
    h ^ (h >>> 31)
  }
}
