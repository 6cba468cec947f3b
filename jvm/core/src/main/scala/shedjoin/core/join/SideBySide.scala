package shedjoin.core.join

/** The rows of a batch side by side, each side in canonical order, as Spark takes them: first the left rows, but in a left
  * semi join the right ones. A side is staged when it is its turn.
  */
final class SideBySide(staged: StagedRows, kind: JoinKind, source: RowSource) extends Incoming {
  import SideBySide._

  private val firstSide = if (kind eq JoinKind.LeftSemi) Side.Right else Side.Left
  private var turn = 0
  private var current = firstSide
  private var isStaging = true
  private var alone = false
  private var place = 0
  private var count = 0

  def isMerged: Boolean = false
  def isAlone: Boolean = alone
  def side: Int = current
  def key: Int = staged.stagedKey
  def time: Long = staged.stagedTime
  def address: Int = if (alone) Incoming.Outside else staged.stagedAddress
  def store(isMatched: Boolean): Int = staged.store(current, isMatched)
  def discard(): Unit = staged.discard()

  def advance(): Boolean = {
    while (turn < Sides) {
      if (isStaging) {
        alone = source.stage(current)
        if (alone) return true
        count = staged.arrange()
        place = -1
        isStaging = false
      }
      place += 1
      if (place < count) {
        if (place % Ahead == 0) staged.readAhead(place, math.min(place + Ahead, count), Side.other(current))
        staged.standAt(place)
        return true
      }
      staged.clearStaged()
      turn += 1
      current = Side.other(current)
      isStaging = true
    }
    false
  }
}

object SideBySide {

  /** How many staged rows the state is told of at a time, at the most. */
  val Ahead = 64

  private val Sides = 2
}

/** Where the rows of a batch come from. */
trait RowSource {

  /** Stages rows of `side` up to one that can match nothing, or to the end; whether it stopped at such a one. */
  def stage(side: Int): Boolean
}
