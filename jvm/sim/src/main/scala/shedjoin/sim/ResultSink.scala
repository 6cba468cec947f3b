package shedjoin.sim

/** Takes the results of a run, one by one. */
trait ResultSink {

  /** The rows at these places of their sides met; `emit` is called for those that count only. */
  def emit(left: Int, right: Int): Unit
}

object ResultSink {
  object Nowhere extends ResultSink {
    def emit(left: Int, right: Int): Unit = ()
  }
}
