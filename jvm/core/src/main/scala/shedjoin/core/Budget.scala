package shedjoin.core

import java.util.concurrent.atomic.AtomicLong

/** The hard cap of one partition: every structure that grows with data asks it before it allocates.
  *
  * Safe for several threads: maintenance asks beside the task.
  */
class Budget(val limitBytes: Long) {
  private val used = new AtomicLong
  private val peak = new AtomicLong
  private var reclaimer: Reclaimer = Budget.Nothing

  def usedBytes: Long = used.get

  /** The most that was ever in use at one moment. */
  def peakBytes: Long = peak.get

  /** Takes `bytes`, or returns false and takes nothing. O(1). */
  def tryReserve(bytes: Long): Boolean = {
    assert(bytes >= 0, s"reserve of $bytes bytes")
    var before = used.get
    while (bytes <= limitBytes - before && !used.compareAndSet(before, before + bytes)) before = used.get
    val taken = bytes <= limitBytes - before
    if (taken && before + bytes > peak.get) peak.accumulateAndGet(before + bytes, (a, b) => math.max(a, b))
    taken
  }

  /** Takes `bytes` or throws [[BudgetExceeded]] and takes nothing; asks nobody to give memory back, so any thread may. */
  def claim(bytes: Long): Unit =
    if (!tryReserve(bytes)) throw new BudgetExceeded(bytes, usedBytes, limitBytes)

  /** Takes `bytes`, if need be after the reclaimer gave back what it could, or returns false and takes nothing. For the
    * thread that owns the reclaimer only. O(1) but for reclaiming.
    */
  def obtain(bytes: Long): Boolean = {
    var taken = tryReserve(bytes)
    while (!taken && bytes <= limitBytes && reclaimer.reclaim()) taken = tryReserve(bytes)
    taken
  }

  /** The same, but throws [[BudgetExceeded]] where that is not enough. */
  def reserve(bytes: Long): Unit =
    if (!obtain(bytes)) throw new BudgetExceeded(bytes, usedBytes, limitBytes)

  def reclaimFrom(source: Reclaimer): Unit = reclaimer = source

  /** Gives `bytes` back. O(1). */
  def release(bytes: Long): Unit = {
    val now = used.addAndGet(-bytes)
    assert(now >= 0, s"$bytes bytes released, ${now + bytes} were in use")
  }
}

object Budget {
  private object Nothing extends Reclaimer {
    def reclaim(): Boolean = false
  }

  def unlimited: Budget = new Budget(Long.MaxValue / 4)

  /** What an array of `length` elements of `width` bytes takes of the heap. */
  def arrayBytes(length: Int, width: Int): Long = (16L + length.toLong * width + 7) & ~7L
}
