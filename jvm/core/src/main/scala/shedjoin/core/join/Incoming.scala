package shedjoin.core.join

/** The rows of a batch one after the other, in the order in which they join. */
trait Incoming {

  /** Whether both sides come as one, in order of time: what a row can not reach is out of reach of those after it. */
  def isMerged: Boolean

  /** Moves to the next row; false when there is none. The row before was stored or discarded, unless it was alone. */
  def advance(): Boolean
  def side: Int

  /** Whether the row can match nothing. It comes out at once, if its side is kept, and is neither stored nor discarded. */
  def isAlone: Boolean

  /** The key of the row, to be asked for once, when it probes. */
  def key: Int
  def time: Long

  /** What it is stored under; its time, but where rows are stored under the last tick at which they can be met. */
  def storedTime: Long = time
  def address: Int

  /** Stores the row, and returns its id. */
  def store(isMatched: Boolean): Int
  def discard(): Unit
}

object Incoming {

  /** The address of a row that lies outside of the state. */
  val Outside: Int = -2
}
