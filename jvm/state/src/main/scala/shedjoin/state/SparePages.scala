package shedjoin.state

import shedjoin.core.Budget
import shedjoin.core.collection.RecentMost

/** Whole pages that are counted and not in use: one set aside for cleaning, and some that came free and are kept for the next
  * ones, a few more than were opened in one of the latest versions. So a stream at rest allocates nothing.
  */
final class SparePages(budget: Budget, pageBytes: Int) {
  import SparePages._

  val pageCost: Long = Budget.arrayBytes(pageBytes, 1)
  budget.reserve(DirectoryBytes + pageCost)
  private val spares = new Array[Array[Byte]](MostSpares)
  private var count = 0
  private var aside: Array[Byte] = null
  private var opened = 0
  private val mostOpened = new RecentMost

  /** A version begins, while so many pages are held. */
  def begin(heldPages: Int): Unit = {
    mostOpened.note(opened)
    mostOpened.begin(0)
    while (count > limit(heldPages)) drop()
    opened = 0
  }

  /** Pages that were opened to read a state back say nothing of those to come. */
  def settleRestored(): Unit = opened = 0

  /** Whether there is a page to take; one more if the budget has it. */
  def obtain(): Boolean = count > 0 || (budget.tryReserve(pageCost) && {
    push(new Array[Byte](pageBytes))
    true
  })

  /** What `obtain` asks for. */
  def cost: Long = if (count > 0) 0 else pageCost

  /** A page that was obtained. */
  def take(): Array[Byte] = {
    opened += 1
    pop()
  }

  /** Keeps a page that came free, or gives its memory back. */
  def give(page: Array[Byte], heldPages: Int): Unit =
    if (page.length == pageBytes && count < limit(heldPages)) push(page)
    else budget.release(Budget.arrayBytes(page.length, 1))

  /** Gives up all but the one set aside; false if there are none. */
  def reclaim(): Boolean = count > 0 && {
    while (count > 0) drop()
    true
  }

  /** The page set aside; another one is to be set aside when cleaning is done. */
  def takeAside(): Array[Byte] = {
    val page = if (aside == null) new Array[Byte](pageBytes) else aside
    aside = null
    page
  }
  def setAside(page: Array[Byte]): Unit = aside = page

  def takenBytes: Long = DirectoryBytes + (count + 1) * pageCost

  /** How many pages come free at once varies, with many pages more. */
  private def limit(heldPages: Int): Int = math.min(mostOpened.value + 2 + heldPages / 64, MostSpares)

  private def drop(): Unit = {
    pop()
    budget.release(pageCost)
  }

  private def push(page: Array[Byte]): Unit = {
    spares(count) = page
    count += 1
  }

  private def pop(): Array[Byte] = {
    count -= 1
    val page = spares(count)
    spares(count) = null
    page
  }
}

object SparePages {
  private val MostSpares = 256
  val DirectoryBytes: Long = Budget.arrayBytes(MostSpares, 8)
}
