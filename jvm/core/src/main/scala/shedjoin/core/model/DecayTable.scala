package shedjoin.core.model

/** exp(-n / alpha) - 1 for whole n of at least 0, to a few units of the last place, without computing an exponential.
  *
  * Representation: a value for each digit that n can have in base 64; (1 + a)(1 + b) - 1 = a + b + a b. O(digits of n).
  */
final private[model] class DecayTable(alpha: Double) {
  import DecayTable._

  private val falls =
    Array.tabulate(Digits * Base)(i => math.expm1(-(i % Base) * math.pow(Base.toDouble, (i / Base).toDouble) / alpha))

  def apply(n: Long): Double = {
    var fall = 0.0
    var rest = n
    var start = 0
    while (rest != 0 && fall > -1) {
      val digit = falls(start + (rest & (Base - 1)).toInt)
      fall += digit + fall * digit
      rest >>>= BaseBits
      start += Base
    }
    fall
  }
}

private object DecayTable {
  private val BaseBits = 6
  private val Base = 1 << BaseBits

  /** As many as the greatest Long has. */
  private val Digits = 11
}
