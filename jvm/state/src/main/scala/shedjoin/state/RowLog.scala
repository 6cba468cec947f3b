package shedjoin.state

import shedjoin.core.collection.RecentMost
import shedjoin.core.{Budget, Bytes, Reclaimer}

/** The bytes of rows and keys, appended to pages; the space of freed records comes back page by page.
  *
  * A record is its length and its owner (two ints) and its bytes, rounded up to words; its address is its page and its
  * word in that page. A page without a live record is released. When the budget has no page left, or more than half of
  * all pages is dead, the sparsest pages are copied to the end of the log (Rosenblum and Ousterhout's cleaner); each
  * record's owner is told its new address. One page of the budget and one place in the directory are set aside for that
  * from the start, so cleaning never asks for more; the page that was cleaned is set aside for the next time. Only
  * pages with dead records are cleaned, not those with room left at their end, so each cleaning leaves less that is
  * dead. A record longer than half a page has a page of its own size, so all other pages are more than half full when the
  * next is begun.
  *
  * When cleaning does not help, pages with room left at their end are cut to what is filled. So a log of the same records
  * takes nearly the same memory whatever order they came in: at most `mostBytes`.
  *
  * Rows come and go together, keys stay as long as they have rows: records that last have pages apart, else each would
  * hold a page of rows that have gone.
  *
  * Pages that come free are kept for the next ones, a few more than were opened in one of the latest versions: a stream at
  * rest allocates nothing. They are the first to go when the budget is short.
  */
final class RowLog(budget: Budget, pageBytes: Int, owners: RecordOwners) extends Reclaimer {
  import RowLog._

  private val wordBits = Integer.numberOfTrailingZeros(pageBytes) - 3
  private val wordMask = (1 << wordBits) - 1
  private val pageCost = Budget.arrayBytes(pageBytes, 1)
  private var pages = new Array[Array[Byte]](FirstDirectory)
  private var live = new Array[Int](FirstDirectory)
  private var filled = new Array[Int](FirstDirectory)
  private var kinds = new Array[Byte](FirstDirectory)
  private var heldPages = 0
  private var pageLimit = 0
  private var lowestFree = 0
  private val heads = Array(NoPage, NoPage)
  private var liveTotal = 0L
  private var ownTotal = 0L
  private var ownPages = 0
  private var heldTotal = 0L
  private var cleaning = false
  private var aside: Array[Byte] = null
  private val spares = new Array[Array[Byte]](MostSpares)
  private var spareCount = 0
  private var opened = 0
  private val mostOpened = new RecentMost

  budget.reserve(directoryBytes(FirstDirectory) + SpareDirectoryBytes + pageCost)

  def page(address: Int): Array[Byte] = pages(address >>> wordBits)

  /** Where the record's bytes start in its page. */
  def offset(address: Int): Int = ((address & wordMask) << 3) + HeaderBytes

  def length(address: Int): Int = Bytes.getInt(page(address), (address & wordMask) << 3)

  def owner(address: Int): Int = Bytes.getInt(page(address), ((address & wordMask) << 3) + 4)

  def setOwner(address: Int, owner: Int): Unit =
    Bytes.putInt(page(address), ((address & wordMask) << 3) + 4, owner)

  def liveBytes: Long = liveTotal
  def heldBytes: Long = heldTotal

  /** Appends a copy of `bytes` and returns its address; `lasts` if it will outlive the rows beside it. Amortised
    * O(length).
    */
  def append(owner: Int, bytes: Array[Byte], from: Int, length: Int, lasts: Boolean = false): Int =
    append(owner, bytes, from, length, if (lasts) Lasting else Passing)

  private def append(owner: Int, bytes: Array[Byte], from: Int, length: Int, kind: Int): Int = {
    val address = allocate(kind, owner, length)
    System.arraycopy(bytes, from, page(address), offset(address), length)
    address
  }

  /** Appends a record whose bytes are to be filled in, and returns its address. Amortised O(1), and O(length) of a page of
    * its own.
    */
  def make(owner: Int, length: Int): Int = allocate(Passing, owner, length)

  /** Gives a record's space back. O(1). */
  def free(address: Int): Unit = {
    val index = address >>> wordBits
    val size = recordBytes(length(address))
    live(index) -= size
    liveTotal -= size
    if (hasOwnPage(size)) {
      ownTotal -= size
      ownPages -= 1
    }
    if (live(index) == 0 && !isHead(index)) releasePage(index)
  }

  /** A version begins. */
  def begin(): Unit = {
    mostOpened.note(opened)
    mostOpened.begin(0)
    while (spareCount > spareLimit) dropSpare()
    opened = 0
  }

  /** Pages that were opened to read a state back say nothing of those to come. */
  def settleRestored(): Unit = opened = 0

  /** How many pages come free at once varies, with many pages more. */
  private def spareLimit: Int = math.min(mostOpened.value + 2 + heldPages / 64, MostSpares)

  /** Cleans while more is dead than alive. Amortised O(bytes freed). */
  def tidy(): Unit = {
    var more = true
    while (more && heldTotal - liveTotal > liveTotal + 4L * pageBytes) more = cleanSparsest()
  }

  private def isHead(index: Int): Boolean = index == heads(Passing) || index == heads(Lasting)

  private def allocate(kind: Int, owner: Int, length: Int): Int = {
    val size = recordBytes(length)
    if (hasOwnPage(size)) {
      ensurePlace()
      budget.reserve(Budget.arrayBytes(size, 1))
      ownTotal += size
      ownPages += 1
      place(openPage(new Array[Byte](size), kind), size, owner, length)
    } else {
      if (!headHasRoom(kind, size)) openHead(kind, size)
      place(heads(kind), size, owner, length)
    }
  }

  private def hasOwnPage(size: Int): Boolean = size > pageBytes / 2

  private def place(index: Int, size: Int, owner: Int, length: Int): Int = {
    val at = filled(index)
    filled(index) += size
    live(index) += size
    liveTotal += size
    Bytes.putInt(pages(index), at, length)
    Bytes.putInt(pages(index), at + 4, owner)
    (index << wordBits) | (at >>> 3)
  }

  private def headHasRoom(kind: Int, size: Int): Boolean =
    heads(kind) != NoPage && filled(heads(kind)) + size <= pages(heads(kind)).length

  /** Opens another page to append to, unless cleaning left room in one. */
  private def openHead(kind: Int, size: Int): Unit =
    if (cleaning) startHead(kind)
    else {
      ensurePlace()
      while (!headHasRoom(kind, size) && spareCount == 0 && !budget.tryReserve(pageCost))
        if (!reclaim()) throw budget.exceededBy(pageCost)
      if (!headHasRoom(kind, size)) startHead(kind)
    }

  private def startHead(kind: Int): Unit = {
    val old = heads(kind)
    heads(kind) = openPage(if (cleaning) takeAside() else takeCommon(), kind)
    if (old != NoPage && live(old) == 0) releasePage(old)
  }

  /** Gives up the spare pages, or cleans, or cuts; false when that would free next to nothing. */
  def reclaim(): Boolean = dropSpares() || cleanSparsest() || cutLoose()

  private def dropSpares(): Boolean = spareCount > 0 && {
    while (spareCount > 0) dropSpare()
    true
  }

  private def dropSpare(): Unit = {
    takeSpare()
    budget.release(pageCost)
  }

  /** Copies the page with the least alive to the end of the log; false when that would free next to nothing. */
  private def cleanSparsest(): Boolean = {
    val index = if (cleaning) NoPage else sparsest()
    index != NoPage && {
      val kind = kinds(index).toInt
      val before = heads(kind)
      cleaning = true
      try moveAway(index)
      finally cleaning = false
      if (heads(kind) == before) releasePage(index) else setAside(index, heads(kind))
      true
    }
  }

  /** The page that cleaning opened was the one set aside; the page that it freed takes that one's place. If that is a cut
    * one, what was copied goes back to it instead, and the whole page is set aside again.
    */
  private def setAside(index: Int, opened: Int): Unit = {
    val freed = pages(index)
    dropPage(index)
    if (freed.length == pageBytes) aside = freed
    else {
      aside = pages(opened)
      System.arraycopy(aside, 0, freed, 0, filled(opened))
      pages(opened) = freed
      heldTotal -= pageBytes - freed.length
    }
  }

  /** Cuts every page of which a part was left unused to what is filled; false if there is none. */
  private def cutLoose(): Boolean = {
    var cut = false
    var index = 0
    while (!cleaning && index < pageLimit) {
      if (isLoose(index)) {
        cutToFilled(index)
        cut = true
      }
      index += 1
    }
    cut
  }

  private def isLoose(index: Int): Boolean =
    pages(index) != null && !isHead(index) && pages(index).length - filled(index) >= pageBytes / CutParts

  /** While there are two of a page, the page set aside is not there; it is made anew, or is what was cut. */
  private def cutToFilled(index: Int): Unit = {
    val page = pages(index)
    aside = null
    pages(index) = java.util.Arrays.copyOf(page, filled(index))
    if (page.length == pageBytes) aside = page
    heldTotal -= page.length - filled(index)
    budget.release(page.length - filled(index).toLong)
  }

  /** The page with the least alive among those of which an eighth is dead, or `NoPage`. */
  private def sparsest(): Int = {
    var best = NoPage
    var index = 0
    while (index < pageLimit) {
      val isCandidate = pages(index) != null && !isHead(index) && filled(index) - live(index) >= pageBytes / 8
      if (isCandidate && (best == NoPage || live(index) < live(best))) best = index
      index += 1
    }
    best
  }

  private def moveAway(index: Int): Unit = {
    val from = pages(index)
    var at = 0
    while (live(index) > 0) {
      val length = Bytes.getInt(from, at)
      val owner = Bytes.getInt(from, at + 4)
      val address = (index << wordBits) | (at >>> 3)
      val size = recordBytes(length)
      if (owners.addressOf(owner) == address) {
        val target = append(owner, from, at + HeaderBytes, length, kinds(index).toInt)
        owners.moved(owner, target)
        live(index) -= size
        liveTotal -= size
      }
      at += size
    }
  }

  private def releasePage(index: Int): Unit = {
    val page = pages(index)
    if (page.length == pageBytes && spareCount < spareLimit) {
      spares(spareCount) = page
      spareCount += 1
    } else budget.release(Budget.arrayBytes(page.length, 1))
    dropPage(index)
  }

  private def dropPage(index: Int): Unit = {
    heldTotal -= pages(index).length
    pages(index) = null
    heldPages -= 1
    lowestFree = math.min(lowestFree, index)
    while (pageLimit > 0 && pages(pageLimit - 1) == null) pageLimit -= 1
  }

  private def openPage(page: Array[Byte], kind: Int): Int = {
    var index = lowestFree
    while (index < pageLimit && pages(index) != null) index += 1
    lowestFree = index + 1
    if (index == pageLimit) pageLimit += 1
    pages(index) = page
    live(index) = 0
    filled(index) = 0
    kinds(index) = kind.toByte
    heldPages += 1
    heldTotal += page.length
    index
  }

  private def takeAside(): Array[Byte] = {
    val page = if (aside == null) new Array[Byte](pageBytes) else aside
    aside = null
    page
  }

  private def takeCommon(): Array[Byte] = {
    opened += 1
    if (spareCount > 0) takeSpare() else new Array[Byte](pageBytes)
  }

  private def takeSpare(): Array[Byte] = {
    spareCount -= 1
    val page = spares(spareCount)
    spares(spareCount) = null
    page
  }

  /** Makes room in the directory for a page, and for the one that cleaning may open meanwhile. */
  private def ensurePlace(): Unit = if (heldPages + 2 > pages.length) widen()

  private def widen(): Unit = {
    val wider = pages.length * 2
    assert(wider - 1 <= (-1 >>> wordBits), s"$wider pages of $pageBytes bytes can not be addressed")
    budget.reserve(directoryBytes(wider))
    val oldBytes = directoryBytes(pages.length)
    pages = java.util.Arrays.copyOf(pages, wider)
    live = java.util.Arrays.copyOf(live, wider)
    filled = java.util.Arrays.copyOf(filled, wider)
    kinds = java.util.Arrays.copyOf(kinds, wider)
    budget.release(oldBytes)
  }

  /** All that the log took of the budget and did not give back. O(1). */
  private[state] def takenBytes: Long =
    directoryBytes(
      pages.length
    ) + SpareDirectoryBytes + (1 + spareCount) * pageCost + heldTotal + heldPages * PageHeadBytes

  /** The most that a log takes, once it has cut what is loose, which is given the records of this one in any order. O(1). */
  def mostBytes: Long = {
    val common = liveTotal - ownTotal
    val closed = common / (pageBytes / 2) + 1
    val open = if (common == 0) 1 else MostOpen
    directoryMost(closed + open + ownPages) + SpareDirectoryBytes + common + common / (CutParts - 1) +
      closed * PageHeadBytes + open * pageCost + ownTotal + ownPages * PageHeadBytes
  }

  /** Of a directory that grows to so many pages, while there is the one before as well. */
  private def directoryMost(count: Long): Long = {
    var length = FirstDirectory
    while (length < count + 2) length *= 2
    directoryBytes(length) + (if (length > FirstDirectory) directoryBytes(length / 2) else 0)
  }

  /** Walks every page and compares what is alive with what the owners say. O(bytes). */
  def checkInvariants(): Unit = {
    var total = 0L
    for (index <- 0 until pageLimit if pages(index) != null) {
      val end = filled(index)
      var at = 0
      var alive = 0
      while (at < end) {
        val size = recordBytes(Bytes.getInt(pages(index), at))
        val address = (index << wordBits) | (at >>> 3)
        if (owners.addressOf(Bytes.getInt(pages(index), at + 4)) == address) alive += size
        at += size
      }
      assert(at == end && end <= pages(index).length, s"page $index: records end at $at, not $end")
      assert(alive == live(index), s"page $index: $alive bytes alive, ${live(index)} counted")
      assert(isHead(index) || alive > 0, s"page $index is empty and still held")
      total += alive
    }
    assert(total == liveTotal, s"$total bytes alive, $liveTotal counted")
    val held = pages.filter(_ != null)
    assert(held.map(_.length.toLong).sum == heldTotal, s"pages of ${held.map(_.length).sum} bytes, $heldTotal counted")
    assert(pages.count(_ != null) == heldPages, s"${pages.count(_ != null)} pages held, $heldPages counted")
    assert(heldPages < pages.length, s"no place for cleaning beside $heldPages pages")
  }
}

object RowLog {
  private val HeaderBytes = 8
  private val FirstDirectory = 16
  private val NoPage = -1
  private val MostSpares = 256

  /** A page of which one such part is left unused is loose. */
  private val CutParts = 128

  /** The pages that may be whole however little is in them: that set aside, the heads of both kinds, and a head to come. */
  private val MostOpen = 4
  private val PageHeadBytes = Budget.arrayBytes(0, 1)
  private[state] val SpareDirectoryBytes = Budget.arrayBytes(MostSpares, 8)

  private val Passing = 0
  private val Lasting = 1

  def recordBytes(length: Int): Int = HeaderBytes + ((length + 7) & ~7)

  private def directoryBytes(length: Int): Long =
    Budget.arrayBytes(length, 8) + 2 * Budget.arrayBytes(length, 4) + Budget.arrayBytes(length, 1)
}

/** Whoever refers to records of a [[RowLog]] by address. */
trait RecordOwners {

  /** Where `owner` believes its record to be; anything else for an owner that has gone. */
  def addressOf(owner: Int): Int
  def moved(owner: Int, address: Int): Unit
}
