package shedjoin.core.ledger

/** How a cell of ghosts lies in six ints: the key hash, its bucket, what it is, how many ghosts it counts, a float, and the
  * next cell of its chain.
  *
  * What it is, from the highest bit: the side (1 bit), whether its rows have no time (1), the octave of the score that decided
  * on it (7), the level (7: it is remembered with probability 2^(-level / 4)), the first and last offsets of its ghosts
  * (6 each), and the era in which it was made (4).
  */
private[ledger] object Cell {
  val Key = 0
  val Bucket = 1
  val Kind = 2
  val Count = 3

  /** Of cells that are sampled, what they lost, weighted; of others, how many rows reached a part of them. */
  val Sum = 4
  val Next = 5
  val Stride = 6

  val LeastOctave: Int = -100
  val MostLevel = 127
  val Eras = 16

  def kind(side: Int, isTimeless: Boolean, octave: Int, level: Int, offset: Int, era: Int): Int =
    (side << 31) | (if (isTimeless) 1 << 30 else 0) | ((octave - LeastOctave) << 23) | (level << 16) | (offset << 10) |
      (offset << 4) | era

  def side(kind: Int): Int = kind >>> 31
  def isTimeless(kind: Int): Boolean = (kind & (1 << 30)) != 0
  def octave(kind: Int): Int = ((kind >>> 23) & 127) + LeastOctave
  def level(kind: Int): Int = (kind >>> 16) & 127
  def from(kind: Int): Int = (kind >>> 10) & 63
  def to(kind: Int): Int = (kind >>> 4) & 63
  def era(kind: Int): Int = kind & (Eras - 1)

  def withLevel(kind: Int, level: Int): Int = (kind & ~(127 << 16)) | (level << 16)

  /** The same, with a ghost at this offset. */
  def widened(kind: Int, offset: Int): Int =
    (kind & ~((63 << 10) | (63 << 4))) | (math.min(from(kind), offset) << 10) | (math.max(to(kind), offset) << 4)

  /** 1 / the probability with which a cell of a level is remembered. */
  def weight(level: Int): Double = Weights(level)

  /** Whether a cell with these 32 mixed bits is remembered at this level. */
  def isSampled(bits: Int, level: Int): Boolean = (bits & 0xffffffffL) < Thresholds(level)

  private val Weights = Array.tabulate(MostLevel + 1)(level => math.pow(2, level / 4.0))
  private val Thresholds = Weights.map(weight => math.round((1L << 32) / weight))
}
