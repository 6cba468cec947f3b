package shedjoin.state

import shedjoin.core.{Budget, Reclaimer}

/** The bytes of rows and keys, appended to pages; the space of freed records comes back page by page, and place by place
  * when memory is short.
  *
  * Unpressed, records are appended to the page in the hand of their kind, a freed one is only counted, and a page without a
  * live record is released: rows that go in the order in which they came cost no more. Rows come and go together, keys stay
  * as long as they have rows, so records that last have pages apart.
  *
  * When the budget has no page left, pages are listed one by one, those with the least alive first: their dead records
  * are places for new ones ([[FreePlaces]]), and so are those freed in them from then on. When no place is large enough, or
  * others need memory, the page with the least alive is cleaned: its records go to places of other pages, and to the end
  * of the log (Rosenblum and Ousterhout's cleaner); each one's owner is told its new address. A page is worth that when
  * more than a tenth of it is not alive.
  *
  * A record longer than a 16th of a page has a page of its own size. So a page that is full has less than that unused at
  * its end, and a cleaned page leaves less that is not alive than it had: cleaning comes to an end, where of each page
  * but the heads nine tenths are alive. One page of the budget and one place in the directory are set aside from the
  * start, so that cleaning never asks for more. So a request is refused only when all that the log takes is at most the
  * page set aside, both heads, the lists, and 9/8 of what is alive, with pages of 16 KiB and more: ten ninths, and a 100th for
  * the directory.
  *
  * A log of the same records takes at most `mostBytes`, whatever order they come in.
  */
final class RowLog(budget: Budget, pageBytes: Int, owners: RecordOwners) extends Reclaimer {
  import RowLog._
  import FreePlaces.NoPlace
  import RowPages.recordBytes

  /** The largest record that shares a page with others. */
  private val most = pageBytes / 16

  /** Where the records lie. */
  private[state] val pages = new RowPages(budget, pageBytes)
  private val places = new FreePlaces(budget, pages, most)
  private val spares = new SparePages(budget, pageBytes)
  private val heads = new LogHeads(pages, places, spares)
  private val cleaner = new LogCleaner(pages, places, spares, heads, owners, mostUnused = pageBytes / 10)

  /** The largest record that ever shared a page, and what has pages of its own. */
  private var largest = 0
  private var aloneCount = 0
  private var aloneBytes = 0L

  /** The page of the record, and where in it its bytes start. */
  def page(address: Int): Array[Byte] = pages.page(address)
  def offset(address: Int): Int = pages.offset(address)
  def length(address: Int): Int = pages.length(address)
  def owner(address: Int): Int = pages.owner(address)
  def setOwner(address: Int, owner: Int): Unit = pages.setOwner(address, owner)

  def liveBytes: Long = pages.liveBytes
  def heldBytes: Long = pages.heldBytes

  /** Adds a copy of `bytes` and returns its address; `lasts` if it will outlive the rows beside it. Amortised O(length).
    */
  def append(owner: Int, bytes: Array[Byte], from: Int, length: Int, lasts: Boolean = false): Int = {
    val address = allocate(owner, length, lasts)
    System.arraycopy(bytes, from, pages.page(address), pages.offset(address), length)
    address
  }

  /** Adds a record whose bytes are to be filled in, and returns its address. Amortised O(1), and O(length) of a page of its
    * own.
    */
  def make(owner: Int, length: Int): Int = allocate(owner, length, lasts = false)

  /** Gives a record's space back. O(1). */
  def free(address: Int): Unit = {
    val size = pages.forget(address)
    if (size > most) countAlone(-1, size)
    val number = pages.number(address)
    if (pages.isListed(number)) places.add(number, pages.at(address))
    if (pages.live(number) == 0 && !heads.contains(number)) heads.release(number)
  }

  /** A version begins. */
  def begin(): Unit = spares.begin(pages.count)

  /** Pages that were opened to read a state back say nothing of those to come. */
  def settleRestored(): Unit = spares.settleRestored()

  /** Cleans while more is dead than alive. Amortised O(bytes freed). */
  def tidy(): Unit = {
    while (cleaner.narrow()) ()
    var more = true
    while (more && heldBytes - liveBytes > liveBytes + 4L * pageBytes) more = cleaner.cleanSparsest()
  }

  /** Gives up spare pages or places of the directory, or cleans; false when that would free next to nothing. */
  def reclaim(): Boolean = spares.reclaim() || cleaner.narrow() || cleaner.cleanSparsest()

  private def allocate(owner: Int, length: Int, lasts: Boolean): Int = {
    val size = recordBytes(length)
    val address =
      if (size > most) makeAlone(owner, length, size, lasts)
      else if (pages.hasRoom(heads.of(lasts), size) || heads.open(lasts)) pages.append(heads.of(lasts), owner, length)
      else makePressed(owner, length, size, lasts)
    if (size > most) countAlone(1, size) else if (size > largest) largest = size
    address
  }

  /** Makes a record with a page of its own. */
  private def makeAlone(owner: Int, length: Int, size: Int, lasts: Boolean): Int = {
    while (!pages.ensurePlaces()) require(pages.placesCost)
    budget.reserve(Budget.arrayBytes(size, 1))
    pages.append(pages.open(new Array[Byte](size), lasts), owner, length)
  }

  /** Makes a record where the budget has no page for it: in the place of a dead one, or where cleaning makes room. */
  private def makePressed(owner: Int, length: Int, size: Int, lasts: Boolean): Int = {
    var place = NoPlace
    while (place == NoPlace && !pages.hasRoom(heads.of(lasts), size) && !heads.open(lasts)) {
      place = places.take(size)
      if (place == NoPlace && !cleaner.listSparsest(size) && !cleaner.cleanSparsest()) require(heads.cost)
    }
    if (place == NoPlace) pages.append(heads.of(lasts), owner, length)
    else pages.put(pages.number(place), pages.at(place), owner, length)
  }

  private def countAlone(count: Int, size: Int): Unit = {
    aloneCount += count
    aloneBytes += count.toLong * size
  }

  /** Asks everybody to give back so much. */
  private def require(bytes: Long): Unit = {
    budget.reserve(bytes)
    budget.release(bytes)
  }

  /** All that the log took of the budget and did not give back. O(1). */
  private[state] def takenBytes: Long = FreePlaces.bytesFor(most) + pages.takenBytes + spares.takenBytes

  /** The most that a log takes which is given the records of this one in any order: each page but the heads was full for
    * another record, which was larger than what was left. O(1).
    */
  def mostBytes: Long = {
    val shared = liveBytes - aloneBytes
    val full = shared / (pageBytes - most)
    val heads = if (shared == 0) 0 else MostHeads
    shared + full * largest + aloneBytes + (full + aloneCount) * RowPages.PageHeadBytes + (heads + 1) * spares.pageCost +
      RowPages.directoryMost(full + heads + aloneCount) + SparePages.DirectoryBytes + FreePlaces.bytesFor(most)
  }

  /** Walks every page and compares what is alive with what the owners say. O(bytes). */
  def checkInvariants(): Unit = {
    pages.checkInvariants(owners)
    places.checkInvariants()
    heads.checkInvariants()
  }
}

object RowLog {

  /** That of records that pass, and that of those that last. */
  private val MostHeads = 2
}
