package shedjoin.state

import shedjoin.core.join.Side
import shedjoin.state.Histories.{Batch, TestRow}

/** The rows of a batch in canonical order, as an external sorter gives them: each in a buffer that the next one reuses. */
final class ListedRows(batch: Batch) extends OutsideRows {
  private val rows = {
    val sides = batch.left.map((Side.Left, _)) ++ batch.right.map((Side.Right, _))
    sides.sortWith { case ((sideA, a), (sideB, b)) =>
      if (a.time != b.time) a.time < b.time
      else if (sideA != sideB) sideA < sideB
      else java.util.Arrays.compareUnsigned(a.bytes, b.bytes) < 0
    }
  }
  private var at = -1
  private var buffer = new Array[Byte](0)
  private var ofKey = 0
  private var ofRow = 0

  /** The row that joins now. */
  def row: TestRow = rows(at)._2

  def advance(): Boolean = {
    java.util.Arrays.fill(buffer, -1.toByte)
    if (at < rows.size) at += 1
    if (at < rows.size) {
      ofKey = row.keyBytes.length
      ofRow = row.bytes.length
      if (buffer.length < 3 + ofKey + ofRow) buffer = new Array[Byte](2 * (3 + ofKey + ofRow))
      System.arraycopy(row.keyBytes, 0, buffer, 3, ofKey)
      System.arraycopy(row.bytes, 0, buffer, 3 + ofKey, ofRow)
    }
    at < rows.size
  }

  def isAlone: Boolean = false
  def side: Int = rows(at)._1
  def time: Long = row.time
  def key: Array[Byte] = buffer
  def keyFrom: Int = 3
  def keyLength: Int = ofKey
  def bytes: Array[Byte] = buffer
  def from: Int = 3 + ofKey
  def length: Int = ofRow
}
