package shedjoin.bench.policy

/** The values of made-up rows, drawn without making an object. */
abstract class ValueSource {
  private var seed = 1L

  /** The value of the row of a side that comes at a tick. */
  def next(side: Int, tick: Long): Int

  /** A whole number from 0 to below `bound`, each as likely. */
  final protected def draw(bound: Int): Int = {
    seed = seed * 0x5851f42d4c957f2dL + 0x14057b7ef767814fL
    ((seed >>> 33) % bound).toInt
  }
}

object ValueSource {

  /** As many values as there are, some of which come more often than others: the lesser of two. */
  final class Common(count: Int) extends ValueSource {
    def next(side: Int, tick: Long): Int = math.min(draw(count), draw(count))
  }

  /** Around a trend that rises by 1 in `ticks`, evenly as far as `spread`. */
  final class Trend(ticks: Int, spread: Int) extends ValueSource {
    def next(side: Int, tick: Long): Int = (tick / ticks).toInt + draw(2 * spread + 1) - spread
  }

  /** A step of up to `most` from the value before, and of that the part `kept` only: a walk where it is 1, else AR(1). */
  final class Moving(most: Int, kept: Double) extends ValueSource {
    private val latest = new Array[Int](2)
    def next(side: Int, tick: Long): Int = {
      latest(side) = math.round(kept * latest(side)).toInt + draw(2 * most + 1) - most
      latest(side)
    }
  }
}
