package shedjoin.core.model

import java.io.{DataInput, DataOutput}

/** The parameters of an AR(1) stream, learned from its values: the least-squares line from each value to the next, each pair
  * counting the less the more came after it.
  *
  * Representation: that line, and the parameters told last. Those stay until they are off by more than chance, or known from
  * twice as many values, so that what is made for them is seldom made anew.
  */
final class LearnedRegression(memory: Double) {
  import LearnedRegression._

  /** How far a mean of what is remembered may be off by chance: decayed weights are worth twice as many equal ones. */
  private val chance = Errors / math.sqrt(2 * memory)
  private val line = new FadingLine(memory)
  private var latest = Double.NaN
  private var told = Nothing
  private var toldWeight = 0.0

  /** What to reckon with, and whether that is anything yet. */
  def model: AutoRegression = told
  def isKnown: Boolean = told ne Nothing

  /** A value came. O(1). */
  def observe(value: Double): Unit = {
    if (!latest.isNaN) line.observe(latest, value)
    latest = value
  }

  /** The fit to the values so far. */
  def estimate: AutoRegression = AutoRegression(phi, line.height(phi), deviation)

  private def phi: Double = math.min(math.max(line.slope, -MostPhi), MostPhi)

  private def deviation: Double = math.max(LeastDeviation, math.sqrt(line.unexplained(phi)))

  /** Follows the values; whether `model` is another one now. O(1). */
  def settle(): Boolean = {
    val isNew = line.weight >= Enough && (line.weight >= 2 * toldWeight || isOff)
    if (isNew) {
      told = estimate
      toldWeight = line.weight
    }
    isNew
  }

  private def isOff: Boolean = {
    val level = line.height(phi) / (1 - phi)
    // The mean of a stream is the less sure the longer that remembers.
    val ofLevel = math.max(2 * LeastSlack, chance * math.sqrt((1 + told.phi) / (1 - told.phi)))
    math.abs(level - told.level) > ofLevel * told.farSpread ||
    math.abs(phi - told.phi) > math.max(LeastSlack, chance) * math.sqrt(1 - told.phi * told.phi) ||
    math.abs(math.log(deviation / told.deviation)) > math.max(LeastSlack, chance)
  }

  def save(out: DataOutput): Unit = {
    line.save(out)
    Seq(latest, toldWeight).foreach(out.writeDouble)
    out.writeBoolean(isKnown)
    if (isKnown) Seq(told.phi, told.constant, told.deviation).foreach(out.writeDouble)
  }

  def restore(in: DataInput): Unit = {
    line.restore(in)
    latest = in.readDouble()
    toldWeight = in.readDouble()
    told = if (in.readBoolean()) AutoRegression(in.readDouble(), in.readDouble(), in.readDouble()) else Nothing
  }
}

object LearnedRegression {
  private val Nothing = AutoRegression(0, 0, 1)

  /** Fewer values tell nothing. */
  private val Enough = 50.0

  /** What is nearer to a walk is taken for this: curves take the longer to make the longer a value is remembered. */
  private val MostPhi = .95
  private val LeastDeviation = 1e-3

  /** How far parameters may be off: so many standard errors, and no less than this part of how far values stray. */
  private val Errors = 6.5
  private val LeastSlack = .1
}
