package shedjoin.state

import shedjoin.core.Budget

/** Room for the key and the bytes of one row on its way from a file.
  *
  * @param take gets bytes from a budget or throws
  * @param give gives them back
  */
final class RowBuffer(take: Long => Unit, give: Long => Unit) {
  import RowBuffer.Step

  private var held = new Array[Byte](0)

  /** An array of at least `length` bytes. */
  def of(length: Int): Array[Byte] = {
    if (held.length < length) {
      release()
      val size = (length + Step - 1) & -Step
      take(Budget.arrayBytes(size, 1))
      held = new Array[Byte](size)
    }
    held
  }

  def release(): Unit = if (held.length > 0) {
    give(Budget.arrayBytes(held.length, 1))
    held = new Array[Byte](0)
  }
}

object RowBuffer {
  private val Step = 1024
}
