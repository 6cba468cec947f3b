package shedjoin.core.model

/** Positive numbers of any size, as doubles that order as they do.
  *
  * Before the point stands the exponent to base 2, biased as in a double, and behind it the rest of the mantissa: an adding
  * of 1 is a doubling. So sums whose parts grow for ever, as those of forward decay do, never overflow. 0 stands for 0. Of
  * a mantissa 30 bits are kept at least, while exponents lie below 2^22.
  */
private[core] object LogNumber {

  /** x * 2^exponent, for `x` of at least 0. O(1). */
  def of(x: Double, exponent: Long): Double =
    if (x < java.lang.Double.MIN_NORMAL) 0
    else {
      val bits = java.lang.Double.doubleToRawLongBits(x)
      ((bits >>> MantissaBits) + exponent).toDouble + (bits & Mantissa) * OfMantissa
    }

  /** number / 2^exponent; 0 where that is too small for a double, the greatest double where it is too large. O(1). */
  def over(number: Double, exponent: Long): Double = {
    val moved = number - exponent.toDouble
    if (number == 0 || moved < 1) 0
    else if (moved >= 2047) Double.MaxValue
    else {
      val whole = moved.toLong
      java.lang.Double.longBitsToDouble((whole << MantissaBits) | ((moved - whole.toDouble) * Mantissas).toLong)
    }
  }

  /** An exponent over which this number is about 1. */
  def exponentOf(number: Double): Long = number.toLong - Bias

  def times(number: Double, factor: Double): Double =
    if (factor == 1 || number == 0) number
    else {
      val exponent = exponentOf(number)
      of(over(number, exponent) * factor, exponent)
    }

  private val MantissaBits = 52
  private val Mantissas = (1L << MantissaBits).toDouble
  private val OfMantissa = 1 / Mantissas
  private val Mantissa = (1L << MantissaBits) - 1
  private val Bias = 1023
}
