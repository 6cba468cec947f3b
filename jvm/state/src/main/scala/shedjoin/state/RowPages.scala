package shedjoin.state

import shedjoin.core.{Budget, Bytes}

/** The pages of a [[RowLog]], by their numbers, and the records in them.
  *
  * A record is its length and its owner (two ints) and its bytes, rounded up to words; its address is its page and its word
  * in that page. Records fill a page from its start without gaps: one that was freed stays until its place or its page is
  * used again. So a page can be walked. What is dead in it the owners say; `markDead` writes that to the records.
  *
  * Numbers of pages that were dropped are linked through `fills`, and taken again first. The directory has as many places as
  * twice the most pages that are held, and is halved when four times as many are too many.
  */
final class RowPages(budget: Budget, pageBytes: Int) {
  import RowPages._

  private val wordBits = Integer.numberOfTrailingZeros(pageBytes) - 3
  private val wordMask = (1 << wordBits) - 1
  private var pages = new Array[Array[Byte]](FirstDirectory)
  private var lives = new Array[Int](FirstDirectory)
  private var fills = new Array[Int](FirstDirectory)
  private var marks = new Array[Byte](FirstDirectory)
  private var heldCount = 0
  private var freeNumber = NoPage
  private var bound = 0
  private var liveTotal = 0L
  private var heldTotal = 0L

  budget.reserve(directoryBytes(FirstDirectory))

  /** The page of the record at an address, and where in it its bytes start. */
  def page(address: Int): Array[Byte] = pages(address >>> wordBits)
  def offset(address: Int): Int = ((address & wordMask) << 3) + HeaderBytes

  def length(address: Int): Int = Bytes.getInt(page(address), (address & wordMask) << 3)
  def owner(address: Int): Int = Bytes.getInt(page(address), ((address & wordMask) << 3) + OwnerAt)
  def setOwner(address: Int, owner: Int): Unit =
    Bytes.putInt(page(address), ((address & wordMask) << 3) + OwnerAt, owner)

  /** The page and the place in it that an address says, and the other way round. */
  def number(address: Int): Int = address >>> wordBits
  def at(address: Int): Int = (address & wordMask) << 3
  def address(number: Int, at: Int): Int = (number << wordBits) | (at >>> 3)

  /** Above the numbers of all pages, of which some may not be held. */
  def limit: Int = bound
  def count: Int = heldCount
  def places: Int = pages.length
  def isHeld(number: Int): Boolean = pages(number) != null
  def bytes(number: Int): Array[Byte] = pages(number)
  def live(number: Int): Int = lives(number)
  def filled(number: Int): Int = fills(number)
  def unused(number: Int): Int = pages(number).length - lives(number)
  def isLasting(number: Int): Boolean = (marks(number) & Lasting) != 0

  /** Whether the dead records of the page are in the lists of [[FreePlaces]]. */
  def isListed(number: Int): Boolean = (marks(number) & Listed) != 0
  def setListed(number: Int, on: Boolean): Unit =
    marks(number) = (if (on) marks(number) | Listed else marks(number) & ~Listed).toByte

  def hasRoom(number: Int, size: Int): Boolean = number != NoPage && fills(number) + size <= pages(number).length

  def liveBytes: Long = liveTotal
  def heldBytes: Long = heldTotal

  /** Adds a record, whose bytes are to be filled in, after those of a page that has room. */
  def append(number: Int, owner: Int, length: Int): Int = {
    val at = fills(number)
    fills(number) = at + recordBytes(length)
    put(number, at, owner, length)
  }

  /** Puts a record, whose bytes are to be filled in, where `FreePlaces` made room for it. */
  def put(number: Int, at: Int, owner: Int, length: Int): Int = {
    val size = recordBytes(length)
    lives(number) += size
    liveTotal += size
    Bytes.putInt(pages(number), at, length)
    Bytes.putInt(pages(number), at + OwnerAt, owner)
    address(number, at)
  }

  /** Counts a record as alive no more, and returns its size. */
  def forget(address: Int): Int = {
    val number = address >>> wordBits
    val size = recordBytes(Bytes.getInt(pages(number), (address & wordMask) << 3))
    lives(number) -= size
    liveTotal -= size
    size
  }

  /** Marks the records of a page that is not listed which are nobody's any more as dead. O(records). */
  def markDead(number: Int, owners: RecordOwners): Unit = if (!isListed(number)) {
    val end = fills(number)
    var at = 0
    while (at < end) {
      val size = sizeAt(number, at)
      if (!isAliveAt(number, at, owners)) bury(number, at, size)
      at += size
    }
  }

  private def isAliveAt(number: Int, at: Int, owners: RecordOwners): Boolean = !isDeadAt(number, at) && {
    val here = address(number, at)
    owners.addressOf(owner(here)) == here
  }

  /** Makes `size` bytes, all of them dead or never used, one dead record. */
  def bury(number: Int, at: Int, size: Int): Unit = {
    Bytes.putInt(pages(number), at, size - HeaderBytes)
    Bytes.putInt(pages(number), at + OwnerAt, Dead)
  }

  def sizeAt(number: Int, at: Int): Int = recordBytes(Bytes.getInt(pages(number), at))
  def isDeadAt(number: Int, at: Int): Boolean = Bytes.getInt(pages(number), at + OwnerAt) == Dead

  /** Makes what no record ever used at the end of a page a dead record. */
  def fillUp(number: Int): Unit = {
    val end = pages(number).length
    if (fills(number) < end) bury(number, fills(number), end - fills(number))
    fills(number) = end
  }

  /** Takes a page in, whose place is there, and returns its number. O(1). */
  def open(page: Array[Byte], lasting: Boolean): Int = {
    val number = if (freeNumber == NoPage) bound else freeNumber
    if (number == bound) bound += 1 else freeNumber = fills(number)
    pages(number) = page
    lives(number) = 0
    fills(number) = 0
    marks(number) = if (lasting) Lasting else 0
    heldCount += 1
    heldTotal += page.length
    number
  }

  /** Lets a page go, whoever has its bytes now. O(1). */
  def drop(number: Int): Unit = {
    heldTotal -= pages(number).length
    liveTotal -= lives(number)
    pages(number) = null
    fills(number) = freeNumber
    freeNumber = number
    heldCount -= 1
  }

  /** Whether there are places for a page, and for the one that cleaning may open meanwhile; makes them if the budget has the
    * memory. O(1) amortised.
    */
  def ensurePlaces(): Boolean = hasPlaces || (budget.tryReserve(placesCost) && {
    val wider = pages.length * 2
    assert(wider - 1 <= (-1 >>> wordBits), s"$wider pages of $pageBytes bytes can not be addressed")
    resize(wider)
    true
  })

  /** What `ensurePlaces` asks for. */
  def placesCost: Long = if (hasPlaces) 0 else directoryBytes(pages.length * 2) - directoryBytes(pages.length)

  private def hasPlaces: Boolean = heldCount + 2 <= pages.length

  /** Whether half as many places are twice as many as are needed. */
  def isWide: Boolean = pages.length > FirstDirectory && (heldCount + 2) * 4 <= pages.length

  /** Gives a page the lowest free number that is not below `from`, and returns that; its records have other addresses now. */
  def renumber(number: Int, from: Int): Int = {
    var to = from
    while (pages(to) != null) to += 1
    pages(to) = pages(number)
    lives(to) = lives(number)
    fills(to) = fills(number)
    marks(to) = marks(number)
    pages(number) = null
    to
  }

  /** Halves the directory, all pages having numbers below that. O(places). */
  def halve(): Unit = {
    val before = directoryBytes(pages.length)
    resize(pages.length / 2)
    budget.release(before - directoryBytes(pages.length))
    freeNumber = NoPage
    bound = pages.length
    var number = bound - 1
    while (number >= 0) {
      if (pages(number) == null) {
        fills(number) = freeNumber
        freeNumber = number
      }
      number -= 1
    }
  }

  private def resize(places: Int): Unit = {
    pages = java.util.Arrays.copyOf(pages, places)
    lives = java.util.Arrays.copyOf(lives, places)
    fills = java.util.Arrays.copyOf(fills, places)
    marks = java.util.Arrays.copyOf(marks, places)
  }

  /** What the pages and their directory take of the budget. */
  def takenBytes: Long = directoryBytes(pages.length) + heldTotal + heldCount * PageHeadBytes

  /** Walks every page and compares what is alive with what the owners say. O(bytes). */
  def checkInvariants(owners: RecordOwners): Unit = {
    val held = (0 until bound).filter(isHeld)
    held.foreach { number =>
      var at = 0
      var alive = 0
      while (at < filled(number)) {
        if (isAliveAt(number, at, owners)) alive += sizeAt(number, at)
        at += sizeAt(number, at)
      }
      assert(at == filled(number) && at <= bytes(number).length, s"page $number: records end at $at")
      assert(alive == live(number), s"page $number: $alive bytes alive, ${live(number)} counted")
    }
    assert(held.map(live(_).toLong).sum == liveTotal, s"$liveTotal bytes alive are counted")
    assert(held.map(bytes(_).length.toLong).sum == heldTotal, s"pages of $heldTotal bytes are counted")
    assert(held.size == heldCount && heldCount < pages.length, s"$heldCount pages in ${pages.length} places")
    assert(pages.drop(bound).forall(_ == null), s"pages above $bound")
  }
}

object RowPages {
  val NoPage = -1
  val HeaderBytes = 8

  /** The owner of a record that is marked as dead, and where in a record its owner stands. */
  val Dead: Int = Int.MinValue
  val OwnerAt = 4

  val PageHeadBytes: Long = Budget.arrayBytes(0, 1)
  private val FirstDirectory = 16
  private val Lasting: Byte = 1
  private val Listed = 2

  /** What a record of so many bytes takes. */
  def recordBytes(length: Int): Int = HeaderBytes + ((length + 7) & ~7)

  /** Half of it is for the time when it is copied to one twice or half as wide. */
  private def directoryBytes(places: Int): Long =
    (Budget.arrayBytes(places, 8) + 2 * Budget.arrayBytes(places, 4) + Budget.arrayBytes(places, 1)) * 3 / 2

  /** What the directory takes once it grew to hold so many pages. */
  def directoryMost(pages: Long): Long = {
    var places = FirstDirectory
    while (places < pages + 2) places *= 2
    directoryBytes(places)
  }
}

/** Whoever refers to records of a [[RowLog]] by address. */
trait RecordOwners {

  /** Where `owner` believes its record to be; anything else for an owner that has gone. */
  def addressOf(owner: Int): Int
  def moved(owner: Int, address: Int): Unit
}
