package shedjoin.sim

/** Takes what happens in a run, as it happens. */
trait RunSink {

  /** The rows at these places of their sides met; called for results that count only. */
  def emit(left: Int, right: Int): Unit

  /** The row at `place` of `side` is stored no longer, or never was. */
  def gone(side: Int, place: Int, tick: Long, fate: Fate): Unit = ()
}

object RunSink {
  object Nowhere extends RunSink {
    def emit(left: Int, right: Int): Unit = ()
  }
}

/** Why a row is stored no longer. */
sealed abstract class Fate(val code: Byte)

object Fate {

  /** It could match nothing more. */
  case object Expired extends Fate(0)
  case object Shed extends Fate(1)

  /** The trace ended. */
  case object Stayed extends Fate(2)
}
