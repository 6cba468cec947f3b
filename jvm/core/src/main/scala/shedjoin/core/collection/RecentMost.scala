package shedjoin.core.collection

/** The most that a number was in the latest versions of a state: at least `Versions` of them, fewer than twice as many. */
final class RecentMost {
  import RecentMost._

  private var versions = 0
  private var now = 0
  private var before = 0

  def value: Int = math.max(now, before)

  /** The number has this value in this version. */
  def note(number: Int): Unit = if (number > now) now = number

  /** A version begins, in which the number has this value so far. */
  def begin(number: Int): Unit = {
    versions += 1
    if (versions == Versions) {
      versions = 0
      before = now
      now = 0
    }
    note(number)
  }
}

object RecentMost {
  val Versions = 16
}
