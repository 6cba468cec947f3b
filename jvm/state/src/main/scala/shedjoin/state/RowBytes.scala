package shedjoin.state

/** The key and the bytes of one row on their way from a file: they are taken to where they belong, piece by piece, so that no
  * buffer need hold a row; those that nobody takes are passed over.
  *
  * @param believe reads the whole file once, to see that it has the bytes it speaks of
  */
final class RowBytes(from: FrameReader, believe: () => Unit) {
  import RowBytes._

  private var keyLeft = 0
  private var rowLeft = 0
  private var isBelieved = false

  /** Where the key stands in the row, or null if the file has it. */
  var keyInRow: KeyInRow = _
  var keyLength = 0
  var length = 0

  private[state] def begin(inRow: KeyInRow, bytesOfKey: Int, bytesOfRow: Int): Unit = {
    keyInRow = inRow
    keyLength = bytesOfKey
    length = bytesOfRow
    keyLeft = if (inRow == null) keyLength else 0
    rowLeft = length
  }

  /** To be called before memory is taken for the row. O(1); O(file) at the first row of a file that is very long. */
  def requirePresent(): Unit = if (!isBelieved && math.max(keyLength, length) > Believed) {
    believe()
    isBelieved = true
  }

  /** Reads the key, which comes first if the file has it. */
  def readKey(to: Array[Byte]): Unit = {
    from.getBytes(to, 0, keyLeft)
    keyLeft = 0
  }

  /** Reads the next bytes of the row, after the key. */
  def readRow(to: Array[Byte], at: Int, bytes: Int): Unit = {
    from.getBytes(to, at, bytes)
    rowLeft -= bytes
  }

  /** Copies what nobody has read yet. */
  def copyTo(to: FrameWriter): Unit = {
    from.copyBytes(to, keyLeft)
    from.copyBytes(to, rowLeft)
    keyLeft = 0
    rowLeft = 0
  }

  private[state] def skip(): Unit = {
    from.skipBytes(keyLeft)
    from.skipBytes(rowLeft)
  }
}

object RowBytes {

  /** Memory for a row of so many bytes is taken before they are seen. */
  private val Believed = 1 << 20
}
