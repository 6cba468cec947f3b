package shedjoin.core

/** What stored rows and keys count for when it is decided what to shed: a sum of lengths and constants over them.
  *
  * It follows from what is stored alone: not from ids, nor from what was stored before, nor from the settings of a JVM. The
  * memory that a state takes is at most its fixed parts and 9/8 of the cost of its rows and keys, once its tables are as long
  * as these need. The constants are what structures take of each row and key, less what the ninth eighth allows for:
  *  - a row: 32 bytes of cells, some 2 of express lanes, 4 in a journal, a bit among the ids; the head of its record, 8 bytes;
  *  - a key: 32 bytes of its entry, 4 of its bucket; the head of its record, 8 bytes, if it has one.
  */
object LogicalCost {
  private val RowBytes = 40L
  private val KeyBytes = 36L
  private val RecordBytes = 8L

  /** The cost of a row of so many bytes. */
  def ofRow(length: Int): Long = RowBytes + ofRecord(length)

  /** The cost of a key of so many bytes, which is counted once, however many rows have it. */
  def ofKey(length: Int): Long = KeyBytes + ofRecord(length)

  /** The cost of a key that is one word, and stands in its entry. */
  val ofWordKey: Long = KeyBytes

  private def ofRecord(length: Int): Long = RecordBytes + ((length + 7L) & ~7L)
}
