package shedjoin.state

/** The two pages of a [[RowLog]] that records are appended to: one for records that pass, one for those that last. */
final class LogHeads(pages: RowPages, places: FreePlaces, spares: SparePages) {
  import RowPages.NoPage

  private var passing = NoPage
  private var lasting = NoPage

  /** The page for records that last or not, or `NoPage`. */
  def of(lasts: Boolean): Int = if (lasts) lasting else passing
  def contains(number: Int): Boolean = number == passing || number == lasting
  def set(lasts: Boolean, number: Int): Unit = if (lasts) lasting = number else passing = number

  /** Opens another page to append to; false if the budget has none. O(1) amortised. */
  def open(lasts: Boolean): Boolean = pages.ensurePlaces() && spares.obtain() && {
    start(lasts, spares.take())
    true
  }

  /** What `open` asks for. */
  def cost: Long = pages.placesCost + spares.cost

  /** Begins to append to a page that is in no use. */
  def start(lasts: Boolean, page: Array[Byte]): Unit = {
    val before = of(lasts)
    set(lasts, pages.open(page, lasts))
    if (before != NoPage && pages.live(before) == 0) release(before)
  }

  /** Gives back a page in which nothing is alive. */
  def release(number: Int): Unit = {
    places.removePage(number)
    spares.give(pages.bytes(number), pages.count)
    pages.drop(number)
  }

  def checkInvariants(): Unit = for (number <- 0 until pages.limit if pages.isHeld(number)) {
    assert(contains(number) || pages.live(number) > 0, s"page $number is empty and still held")
    assert(!contains(number) || !pages.isListed(number), s"page $number is a head and listed")
  }
}
