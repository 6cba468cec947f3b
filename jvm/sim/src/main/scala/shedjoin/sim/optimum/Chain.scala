package shedjoin.sim.optimum

import scala.collection.mutable.{ArrayBuffer, ArrayBuilder}

/** Rows of one side and key that expire in the order in which they come, and what they can meet.
  *
  * The `i`-th of them came at step `arrivals(i)`, and meets partners at the steps `at(firsts(i))` up to `at(lasts(i))`, so
  * many as `counts` says at each; neither `firsts` nor `lasts` falls.
  *
  * To store so many of them is the same whichever they are, as long as they live; the newest live longest. And whoever
  * stores one when the next one comes can store that one instead. So a choice of rows is how many are stored at each step,
  * the newest ones: at most those that live, and more than at the step before only by newcomers.
  */
final private[optimum] class Chain(
    val at: Array[Int],
    val counts: Array[Int],
    val rows: Array[Int],
    val arrivals: Array[Int],
    val firsts: Array[Int],
    val lasts: Array[Int]
)

/** Sorts the rows of a side and key, told in the order in which they come, into chains, as few as there can be.
  *
  * Each goes to the chain whose latest row expires last of those that expire no later than it, found in O(log chains).
  */
final private[optimum] class Chains(at: Array[Int], counts: Array[Int]) {

  /** By when they end; the first ends last. */
  private val growing = ArrayBuffer.empty[Growing]

  def add(row: Int, arrival: Int, first: Int, last: Int): Unit = {
    val place = laterThan(last)
    if (place == growing.length) growing += new Growing
    growing(place).add(row, arrival, first, last)
  }

  /** How many chains end later. */
  private def laterThan(last: Int): Int = {
    var low = 0
    var high = growing.length
    while (low < high) {
      val middle = (low + high) >>> 1
      if (growing(middle).end > last) low = middle + 1 else high = middle
    }
    low
  }

  def all: Iterable[Chain] = growing.map(_.result())

  final private class Growing {
    private val rows, arrivals, firsts, lasts = new ArrayBuilder.ofInt

    /** The place of the last partners of the latest row. */
    var end = -1

    def add(row: Int, arrival: Int, first: Int, last: Int): Unit = {
      rows += row
      arrivals += arrival
      firsts += first
      lasts += last
      end = last
    }

    def result(): Chain =
      new Chain(at, counts, rows.result(), arrivals.result(), firsts.result(), lasts.result())
  }
}
