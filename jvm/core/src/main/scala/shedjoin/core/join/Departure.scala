package shedjoin.core.join

/** Why a row is stored no longer, or was not stored at all. */
sealed trait Departure

object Departure {

  /** It can match nothing more. */
  case object Expired extends Departure

  /** A left semi join has emitted it. */
  case object Consumed extends Departure

  /** It was the one to lose least by. */
  case object Shed extends Departure

  /** It takes more than all the memory there is. */
  case object TooLarge extends Departure
}
