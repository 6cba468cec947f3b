package shedjoin.core.model

/** Takes which rows are watched, from when to when, and when they meet partners: what age curves are learned from. A policy
  * tells of its stored rows, which it no longer watches once they are shed.
  */
trait AgeMatches {

  /** Time has come to `tick`; it never goes back. */
  def advance(tick: Long): Unit

  /** A row that comes now is watched from now on. */
  def entered(weight: Double): Unit

  /** A watched row that came at `arrival` is watched no longer. */
  def left(arrival: Long, weight: Double): Unit

  /** A watched row that came at `arrival` meets a partner now. */
  def met(arrival: Long, weight: Double): Unit
}
