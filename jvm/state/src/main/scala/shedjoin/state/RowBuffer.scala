package shedjoin.state

import shedjoin.core.Budget

/** Room for the key and the bytes of one row on its way from a file. For any thread: asks nobody to give memory back. */
final class RowBuffer(budget: Budget) {
  import RowBuffer.Step

  private var held = new Array[Byte](0)

  /** An array of at least `length` bytes. */
  def of(length: Int): Array[Byte] = {
    if (held.length < length) {
      release()
      val size = (length + Step - 1) & -Step
      budget.claim(Budget.arrayBytes(size, 1))
      held = new Array[Byte](size)
    }
    held
  }

  def release(): Unit = if (held.length > 0) {
    budget.release(Budget.arrayBytes(held.length, 1))
    held = new Array[Byte](0)
  }
}

object RowBuffer {
  private val Step = 1024
}
