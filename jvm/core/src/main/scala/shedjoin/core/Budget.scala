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
  @volatile private var named = Vector.empty[BudgetPart]

  /** What is taken for one purpose: asks this budget for all that it takes, and knows how much that is. */
  def part(name: String): Budget = {
    val added = new BudgetPart(name, this)
    named :+= added
    added
  }

  /** What each part has taken, the largest first. O(parts). */
  def parts: Seq[(String, Long)] = named.map(part => (part.name, part.ownBytes)).sortBy(-_._2)

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
    if (!tryReserve(bytes)) throw exceededBy(bytes)

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
    if (!obtain(bytes)) throw exceededBy(bytes)

  /** The error for so many bytes more than there are. */
  def exceededBy(bytes: Long): BudgetExceeded = new BudgetExceeded(bytes, usedBytes, limitBytes, parts)

  def reclaimFrom(source: Reclaimer): Unit = reclaimer = source

  /** Gives `bytes` back. O(1). */
  def release(bytes: Long): Unit = {
    val now = used.addAndGet(-bytes)
    assert(now >= 0, s"$bytes bytes released, ${now + bytes} were in use")
  }
}

/** A part of a budget by name: its limit is that of the whole. */
final private class BudgetPart(val name: String, whole: Budget) extends Budget(whole.limitBytes) {
  private val own = new AtomicLong

  def ownBytes: Long = own.get

  override def parts: Seq[(String, Long)] = whole.parts
  override def usedBytes: Long = whole.usedBytes
  override def peakBytes: Long = whole.peakBytes
  override def tryReserve(bytes: Long): Boolean = counted(bytes, whole.tryReserve(bytes))
  override def obtain(bytes: Long): Boolean = counted(bytes, whole.obtain(bytes))
  override def reclaimFrom(source: Reclaimer): Unit = whole.reclaimFrom(source)

  override def release(bytes: Long): Unit = {
    whole.release(bytes)
    val left = own.addAndGet(-bytes)
    assert(left >= 0, s"$bytes bytes released of $name, which had ${left + bytes}")
  }

  private def counted(bytes: Long, isTaken: Boolean): Boolean = {
    if (isTaken) own.addAndGet(bytes): Unit
    isTaken
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
