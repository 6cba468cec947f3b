package shedjoin.sim.ledger

import java.util.SplittableRandom

import shedjoin.core.model.AgeCurves
import shedjoin.sim.generate.Noises
import shedjoin.sim.{Trace, TraceSide, Within}

/** A kind of stream to try a ledger on.
  *
  * @param within what its rows meet
  * @param memoryRows what a run may store: half of what an exact one does
  * @param ages the curves of its sides, as the policy `age` takes them
  * @param rates how often the keys of its sides come, as `prob` and `heeb` take them; without, they count
  */
final case class LedgerStream(
    name: String,
    within: Within,
    memoryRows: Int,
    ages: Map[String, String],
    rates: Map[String, String] = Map("sketch_width" -> "16384")
)(make: SplittableRandom => Trace) {
  def knowing(rates: Map[String, String]): LedgerStream = copy(rates = rates)(make)

  def trace(seed: Int): Trace = make(new SplittableRandom(seed.toLong))
}

/** Streams of a row a tick and side and 20,000 keys, four windows long. */
object LedgerStreams {
  private val keys = 20000

  /** A join of the strongest skew finds a third of all pairs, so its window is less long. */
  private val wide = 10000
  private val narrow = 4000
  private val windows = 4

  private type Keys = Int => Long

  private def both(name: String, window: Int = wide)(make: SplittableRandom => (Keys, Keys)): LedgerStream = {
    val flat = Seq("left", "right").flatMap(side => Seq(s"${side}_curve" -> "1 1 1 1", s"${side}_window" -> s"$window"))
    LedgerStream(name, Within(window.toLong, window.toLong), window, flat.toMap) { random =>
      val (left, right) = make(random)
      Trace(side(left, window), side(right, window), isStepwise = false)
    }
  }

  private def side(key: Keys, window: Int): TraceSide =
    TraceSide(Array.tabulate(windows * window)(_.toLong), Array.tabulate(windows * window)(key))

  private val stationary = both("stationary") { random =>
    def any: Keys = _ => random.nextInt(keys).toLong
    (any, any)
  }

  /** Keys around a mean that rises by one a tick, the left one behind. */
  private val drifting = both("drifting") { random =>
    def around(lag: Int): Keys =
      tick => tick.toLong - lag + (random.nextDouble() + random.nextDouble()).*(keys / 2.0).toLong
    (around(2000), around(0))
  }

  /** Every 400 ticks in the mean one key makes up a third of all rows, for 300 ticks. */
  private val bursty = both("bursty") { random =>
    val ticks = windows * wide
    val hot = Array.fill(ticks)(-1L)
    (0 until ticks).foreach { tick =>
      if (random.nextInt(400) == 0) {
        val key = random.nextInt(keys).toLong
        (tick until math.min(ticks, tick + 300)).foreach(hot(_) = key)
      }
    }
    def any: Keys = tick => if (hot(tick) >= 0 && random.nextInt(3) == 0) hot(tick) else random.nextInt(keys).toLong
    (any, any)
  }

  /** Zipf's law; what is common on the left is as common on the right (DC), or as rare (IC). */
  private def skewed(name: String, skew: Double, rightRank: Int => Int): LedgerStream = {
    val frequencies = Array.tabulate(keys)(rank => math.pow(rank + 1.0, -skew))
    val rates = Map(
      "left_rates" -> frequencies.indices.map(key => frequencies(rightRank(key))).mkString(" "),
      "right_rates" -> frequencies.mkString(" ")
    )
    both(s"$name Z=$skew", if (name == "DC" && skew >= 1) narrow else wide) { random =>
      val draw = new Noises.Draw(frequencies)
      (_ => draw.next(random).toLong, _ => rightRank(draw.next(random)).toLong)
    }.knowing(rates)
  }

  /** Left rows with keys of their own, of which each meets one right row in the mean, by its age. */
  private def byAge(curve: String): LedgerStream = {
    val parts = AgeCurves.expected(curve)
    val ages = Map("left_curve" -> parts.mkString(" "), "left_window" -> s"$wide")
    LedgerStream(s"age $curve", Within(0, wide.toLong), wide / 2, ages) { random =>
      val draw = new Noises.Draw(parts)
      val right: Keys = tick => {
        val age = ((draw.next(random) + random.nextDouble()) * wide / parts.length).toLong
        if (age <= tick) tick - age else -1 - tick
      }
      Trace(side(_.toLong, wide), side(right, wide), isStepwise = false)
    }
  }

  val all: Seq[LedgerStream] =
    Seq(stationary, byAge("INC"), byAge("DEC"), byAge("BELL"), drifting, bursty) ++ Seq(0.5, 1.0, 2.0).flatMap { skew =>
      Seq(skewed("IC", skew, keys - 1 - _), skewed("DC", skew, identity))
    }
}
