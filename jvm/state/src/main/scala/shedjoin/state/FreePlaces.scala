package shedjoin.state

import shedjoin.core.{Budget, Bytes}

/** The places of dead records, by size, for new records to take.
  *
  * Representation: a doubly linked list for each size in words up to `most`, and one for all above; the links stand in the
  * places, where the dead records had their first bytes. Bits say which lists are not empty. Only pages that were listed
  * have places here, with all of theirs; a place of one word has no room for links and is left out until it is joined with
  * another.
  */
final class FreePlaces(budget: Budget, pages: RowPages, most: Int) {
  import FreePlaces._

  private val above = most / 8 + 1
  budget.reserve(bytesFor(most))
  private val heads = Array.fill(above + 1)(NoPlace)
  private val bits = new Array[Long](above / 64 + 1)

  /** Takes the smallest place that holds `size` bytes, which are at most `most`; what is left of it stays here. Returns its
    * address, or `NoPlace`. O(1).
    */
  def take(size: Int): Int = {
    val list = listFrom(size >>> 3)
    if (list == NoList) NoPlace
    else {
      val place = heads(list)
      val number = pages.number(place)
      val at = pages.at(place)
      val left = pages.sizeAt(number, at) - size
      unlink(number, at)
      if (left > 0) link(number, at + size, left)
      place
    }
  }

  /** Adds the place of a record that was freed in a listed page, and marks it as dead, joined with the dead ones after it.
    * O(1) amortised.
    */
  def add(number: Int, at: Int): Unit = {
    val end = pages.filled(number)
    var until = at + pages.sizeAt(number, at)
    while (until < end && pages.isDeadAt(number, until)) {
      val size = pages.sizeAt(number, until)
      unlink(number, until)
      until += size
    }
    link(number, at, until - at)
  }

  /** Lists a page: adds all its dead records, those side by side as one, and what was never filled. O(records). */
  def addPage(number: Int): Unit = {
    pages.fillUp(number)
    pages.setListed(number, on = true)
    val end = pages.filled(number)
    var at = 0
    while (at < end) {
      val from = at
      while (at < end && pages.isDeadAt(number, at)) at += pages.sizeAt(number, at)
      if (at > from) link(number, from, at - from) else at += pages.sizeAt(number, at)
    }
  }

  /** Takes out what a page has here, if it is listed. O(records). */
  def removePage(number: Int): Unit = if (pages.isListed(number)) {
    pages.setListed(number, on = false)
    val end = pages.filled(number)
    var at = 0
    while (at < end) {
      if (pages.isDeadAt(number, at)) unlink(number, at)
      at += pages.sizeAt(number, at)
    }
  }

  /** The first list from `list` on that is not empty, or `NoList`. */
  private def listFrom(list: Int): Int = {
    var word = list >>> 6
    var found = bits(word) & (-1L << list)
    while (found == 0 && word + 1 < bits.length) {
      word += 1
      found = bits(word)
    }
    if (found == 0) NoList else (word << 6) | java.lang.Long.numberOfTrailingZeros(found)
  }

  private def listOf(size: Int): Int = math.min(size >>> 3, above)

  private def link(number: Int, at: Int, size: Int): Unit = {
    pages.bury(number, at, size)
    if (size >= LeastPlace) {
      val list = listOf(size)
      val next = heads(list)
      val place = pages.address(number, at)
      setLink(number, at, NextAt, next)
      setLink(number, at, PrevAt, NoPlace)
      if (next == NoPlace) bits(list >>> 6) |= 1L << list
      else setLink(pages.number(next), pages.at(next), PrevAt, place)
      heads(list) = place
    }
  }

  private def unlink(number: Int, at: Int): Unit = {
    val size = pages.sizeAt(number, at)
    if (size >= LeastPlace) {
      val list = listOf(size)
      val next = Bytes.getInt(pages.bytes(number), at + NextAt)
      val prev = Bytes.getInt(pages.bytes(number), at + PrevAt)
      if (next != NoPlace) setLink(pages.number(next), pages.at(next), PrevAt, prev)
      if (prev != NoPlace) setLink(pages.number(prev), pages.at(prev), NextAt, next)
      else {
        heads(list) = next
        if (next == NoPlace) bits(list >>> 6) &= ~(1L << list)
      }
    }
  }

  private def setLink(number: Int, at: Int, which: Int, place: Int): Unit =
    Bytes.putInt(pages.bytes(number), at + which, place)

  /** Compares the lists with the dead records of the pages that are listed. O(records of these). */
  def checkInvariants(): Unit = {
    val listed = heads.indices.flatMap { list =>
      val places = Iterator.iterate(heads(list))(p => Bytes.getInt(pages.page(p), pages.at(p) + NextAt))
      val found = places.takeWhile(_ != NoPlace).toVector
      assert(((bits(list >>> 6) >>> list) & 1) == (if (found.isEmpty) 0 else 1), s"the bit of list $list")
      found.foreach(p => assert(listOf(pages.sizeAt(pages.number(p), pages.at(p))) == list, s"place $p in list $list"))
      found
    }
    val dead = (0 until pages.limit).filter(n => pages.isHeld(n) && pages.isListed(n)).flatMap { number =>
      Iterator
        .iterate(0)(at => at + pages.sizeAt(number, at))
        .takeWhile(_ < pages.filled(number))
        .filter(at => pages.isDeadAt(number, at) && pages.sizeAt(number, at) >= LeastPlace)
        .map(pages.address(number, _))
    }
    assert(listed.sorted == dead.sorted, s"${listed.size} places are listed, ${dead.size} dead")
  }
}

object FreePlaces {
  val NoPlace = -1
  private val NoList = -1
  private val NextAt = 8
  private val PrevAt = 12
  private val LeastPlace = 16

  def bytesFor(most: Int): Long = Budget.arrayBytes(most / 8 + 2, 4) + Budget.arrayBytes((most / 8 + 1) / 64 + 1, 8)
}
