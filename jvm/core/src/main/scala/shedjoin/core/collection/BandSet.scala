package shedjoin.core.collection

import shedjoin.core.Budget

/** A set of bands, whole numbers of at least 0, with the least at hand. None lies `Span` or more above another but 0.
  *
  * Representation: a bit a number, at its remainder by `Span`, but for 0; beside these a bit for each word in which there is one.
  */
final class BandSet(budget: Budget) {
  import BandSet._
  budget.reserve(Budget.arrayBytes(Words, 8) + Budget.arrayBytes(Words / WordBits, 8))
  private val words = new Array[Long](Words)
  private val heads = new Array[Long](Words / WordBits)
  private var hasZero = false
  private var first = NoBand

  /** The least one, or `NoBand`. O(1). */
  def least: Long = if (hasZero) 0 else first

  /** Puts a band, unless it is there. O(1). */
  def put(band: Long): Unit = if (band == 0) hasZero = true else putAbove0(band)

  private def putAbove0(band: Long): Unit = {
    val word = wordOf(band)
    words(word) |= 1L << band
    heads(word / WordBits) |= 1L << word
    if (first == NoBand || band < first) first = band
  }

  /** Takes a band out that is there. O(1), and O(Span / 4096) for the least one. */
  def remove(band: Long): Unit = if (band == 0) hasZero = false else removeAbove0(band)

  private def removeAbove0(band: Long): Unit = {
    val word = wordOf(band)
    words(word) &= ~(1L << band)
    if (words(word) == 0) heads(word / WordBits) &= ~(1L << word)
    if (band == first) first = after(band)
  }

  /** The first one above a band that was the least. */
  private def after(band: Long): Long = {
    val word = wordOf(band)
    val higher = words(word) & (-2L << band)
    if (higher != 0) at(band, word, higher)
    else {
      var head = ((word + 1) / WordBits) % heads.length
      var set = heads(head) & (-1L << (word + 1))
      var passed = 0
      while (set == 0 && passed < heads.length) {
        head = (head + 1) % heads.length
        set = heads(head)
        passed += 1
      }
      val next = head * WordBits + java.lang.Long.numberOfTrailingZeros(set)
      if (set == 0) NoBand else at(band, next, words(next))
    }
  }

  /** The band of the first one of these bits of a word, which is above `band`. */
  private def at(band: Long, word: Int, bits: Long): Long = {
    val remainder = word.toLong * WordBits + java.lang.Long.numberOfTrailingZeros(bits)
    band + ((remainder - band) & (Span - 1))
  }

  def checkInvariants(): Unit = {
    words.indices.foreach { word =>
      val isMarked = (heads(word / WordBits) & (1L << word)) != 0
      assert(isMarked == (words(word) != 0), s"word $word is ${words(word)}")
    }
    assert((first == NoBand) == words.forall(_ == 0), s"the least is $first")
    assert(first == NoBand || (words(wordOf(first)) & (1L << first)) != 0, s"the least is $first")
  }
}

object BandSet {
  final val NoBand = -1L

  /** A power of two. */
  final val Span = 1L << 15
  final private val WordBits = 64
  final private val Words = (Span / WordBits).toInt
  private def wordOf(band: Long): Int = ((band & (Span - 1)) / WordBits).toInt
}
