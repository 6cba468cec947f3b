package shedjoin.state

import shedjoin.core.Budget

/** Room for one key on its way from a file, counted in the budget; it does not shrink.
  *
  * @param mayReclaim whether others may be asked to give memory back for it: for the thread that owns them only
  */
final class RowBuffer(budget: Budget, mayReclaim: Boolean) {
  import RowBuffer.Step

  private var held = new Array[Byte](0)
  private var size = 0

  /** Takes the memory for `length` bytes, so that `of` can not fail. */
  def ensure(length: Int): Unit = if (length > size) {
    val wider = (length + Step - 1) & -Step
    val more = counted(wider) - counted(size)
    if (mayReclaim) budget.reserve(more) else budget.claim(more)
    size = wider
    held = new Array[Byte](0)
  }

  /** An array of at least `length` bytes. */
  def of(length: Int): Array[Byte] = {
    ensure(length)
    if (held.length < size) held = new Array[Byte](size)
    held
  }

  /** Lets go of the array, and keeps its memory counted. */
  def drop(): Unit = held = new Array[Byte](0)

  def release(): Unit = {
    drop()
    budget.release(counted(size))
    size = 0
  }

  private def counted(length: Int): Long = if (length == 0) 0 else Budget.arrayBytes(length, 1)
}

object RowBuffer {
  private val Step = 1024
}
