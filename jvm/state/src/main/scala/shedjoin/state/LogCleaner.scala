package shedjoin.state

/** Gets back the space of dead records in pages where others are alive; [[RowLog]] says when, and why it comes to an end. */
final class LogCleaner(
    pages: RowPages,
    places: FreePlaces,
    spares: SparePages,
    heads: LogHeads,
    owners: RecordOwners,
    mostUnused: Int
) {
  import FreePlaces.NoPlace
  import RowPages.NoPage

  /** Lists the page with the least alive that is not listed and may have a place of `size`, be it a head; false if there is
    * none. O(pages + records of the page).
    */
  def listSparsest(size: Int): Boolean = {
    val number = sparsest(size, ofListed = false)
    number != NoPage && {
      if (heads.contains(number)) heads.set(pages.isLasting(number), NoPage)
      if (pages.live(number) == 0) heads.release(number)
      else {
        pages.markDead(number, owners)
        places.addPage(number)
      }
      true
    }
  }

  /** Moves what is alive in the page with the least of it elsewhere; false when that would free next to nothing. O(pages +
    * bytes of the page).
    */
  def cleanSparsest(): Boolean = {
    val number = sparsest(mostUnused + 1, ofListed = true)
    number != NoPage && {
      val lasts = pages.isLasting(number)
      val before = heads.of(lasts)
      moveAway(number)
      if (heads.of(lasts) == before) heads.release(number)
      else {
        spares.setAside(pages.bytes(number))
        pages.drop(number)
      }
      true
    }
  }

  /** The page with the least alive of those of which `unused` bytes are not: of all that are no heads, or of all that are not
    * listed; or `NoPage`.
    */
  private def sparsest(unused: Int, ofListed: Boolean): Int = {
    var best = NoPage
    var number = 0
    while (number < pages.limit) {
      val isSparser = pages.isHeld(number) && pages.unused(number) >= unused &&
        (best == NoPage || pages.live(number) < pages.live(best))
      if (isSparser && !(if (ofListed) heads.contains(number) else pages.isListed(number))) best = number
      number += 1
    }
    best
  }

  private def moveAway(number: Int): Unit = {
    pages.markDead(number, owners)
    places.removePage(number)
    val from = pages.bytes(number)
    var at = 0
    while (pages.live(number) > 0) {
      val size = pages.sizeAt(number, at)
      if (!pages.isDeadAt(number, at)) {
        val here = pages.address(number, at)
        val owner = pages.owner(here)
        val length = pages.length(here)
        val there = makeElsewhere(owner, length, size, pages.isLasting(number))
        System.arraycopy(from, at + RowPages.HeaderBytes, pages.page(there), pages.offset(there), length)
        pages.forget(here): Unit
        owners.moved(owner, there)
      }
      at += size
    }
  }

  /** Makes a record for one that moves, at worst in the page that was set aside. */
  private def makeElsewhere(owner: Int, length: Int, size: Int, lasts: Boolean): Int = {
    val place = places.take(size)
    if (place != NoPlace) pages.put(pages.number(place), pages.at(place), owner, length)
    else {
      if (!pages.hasRoom(heads.of(lasts), size)) heads.start(lasts, spares.takeAside())
      pages.append(heads.of(lasts), owner, length)
    }
  }

  /** Halves the directory, if that is far wider than the pages need; those above get lower numbers. O(places + records of
    * these pages).
    */
  def narrow(): Boolean = pages.isWide && {
    val half = pages.places / 2
    var to = 0
    var number = pages.limit - 1
    while (number >= half) {
      if (pages.isHeld(number)) {
        pages.markDead(number, owners)
        places.removePage(number)
        val isHead = heads.contains(number)
        to = pages.renumber(number, to)
        if (isHead) heads.set(pages.isLasting(to), to)
        tellOwners(to)
      }
      number -= 1
    }
    pages.halve()
    true
  }

  /** Tells the owners of all records of a page where they are. */
  private def tellOwners(number: Int): Unit = {
    val end = pages.filled(number)
    var at = 0
    while (at < end) {
      val here = pages.address(number, at)
      if (!pages.isDeadAt(number, at)) owners.moved(pages.owner(here), here)
      at += pages.sizeAt(number, at)
    }
  }
}
