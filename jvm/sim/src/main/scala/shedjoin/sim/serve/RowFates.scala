package shedjoin.sim.serve

import shedjoin.sim.{Fate, RunSink, Trace}

/** Notes until when each row was stored, and what became of it. */
final private[serve] class RowFates(trace: Trace) extends RunSink {
  private val sizes = Array(trace.left.size, trace.right.size)
  val untils: Array[Array[Long]] = sizes.map(new Array[Long](_))
  val fates: Array[Array[Byte]] = sizes.map(new Array[Byte](_))

  def emit(left: Int, right: Int): Unit = ()

  override def gone(side: Int, place: Int, tick: Long, fate: Fate): Unit = {
    untils(side)(place) = tick
    fates(side)(place) = fate.code
  }
}
