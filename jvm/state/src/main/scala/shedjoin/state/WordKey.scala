package shedjoin.state

import shedjoin.core.Bytes

/** Keys of eight zero bytes and one word: those of one column of up to eight bytes that is not null, as Spark has them.
  *
  * Such a key is known by a code of 64 bits alone, whose lower half is its hash; of other keys the code is no more than the
  * hash.
  */
object WordKey {
  val Length = 16

  def isOne(bytes: Array[Byte], from: Int, length: Int): Boolean = length == Length && Bytes.getLong(bytes, from) == 0

  /** The code of any key. O(length). */
  def codeOf(bytes: Array[Byte], from: Int, length: Int): Long =
    if (isOne(bytes, from, length)) Bytes.scatter(Bytes.getLong(bytes, from + 8))
    else Bytes.hash(bytes, from, length) & 0xffffffffL

  def hash(code: Long): Int = code.toInt

  /** Writes the key of a word's code. */
  def write(code: Long, to: Array[Byte]): Unit = {
    Bytes.putLong(to, 0, 0)
    Bytes.putLong(to, 8, Bytes.gather(code))
  }
}
