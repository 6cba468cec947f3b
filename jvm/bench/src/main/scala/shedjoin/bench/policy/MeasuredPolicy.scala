package shedjoin.bench.policy

/** A policy with settings and values that give it something to do, where a million rows are stored.
  *
  * @param rowsAMatch of how many rows that come one matches a stored one; 0 for none
  * @param values by how many rows are stored
  */
final case class MeasuredPolicy(name: String, settings: Map[String, String] = Map.empty, rowsAMatch: Int = 0)(
    val values: Int => ValueSource
)

object MeasuredPolicy {

  /** Curves as paper 1 has them, in a window of four million ticks. */
  private val ages = Map("left_curve" -> "1 4 9 16 9 4 1", "right_curve" -> "9 4 1") ++
    Map("left_window" -> "4000000", "right_window" -> "4000000")

  private val ticksOfTrend = 1000
  private val spread = 1000
  private val step = 5
  private val deviation = 300

  private val common: Int => ValueSource = rows => new ValueSource.Common(math.max(1, rows / 10))
  private val trending: Int => ValueSource = _ => new ValueSource.Trend(ticksOfTrend, spread)
  private val walking: Int => ValueSource = _ => new ValueSource.Moving(step, 1)
  private val returning: Int => ValueSource = _ => new ValueSource.Moving((deviation * math.sqrt(3)).toInt, .9)

  private def sides(setting: String, value: String) = Map(s"left_$setting" -> value, s"right_$setting" -> value)
  private def even(most: Int) = Seq.fill(2 * most + 1)(1.0 / (2 * most + 1)).mkString(" ")

  private val ijoin = MeasuredPolicy(
    "ijoin",
    Map("maturity" -> "1000", "patience" -> "300000", "decay" -> "0.000001", "penalty" -> "0.000001")
  )(common)

  /** What rows are worth is learned from matches, so some must come. */
  private val histTrend = MeasuredPolicy("hist", Map("trend_memory" -> "5000"), rowsAMatch = 8)(trending)
  private val histWalk = MeasuredPolicy("hist", Map("model" -> "walk"), rowsAMatch = 8)(walking)

  private val others: Map[String, MeasuredPolicy] = Map(
    "age" -> MeasuredPolicy("age", ages)(common),
    "age_learned" -> MeasuredPolicy("age")(common),
    "heeb" -> MeasuredPolicy("heeb", Map("alpha" -> "1000000"))(common),
    "heeb_trend" -> MeasuredPolicy(
      "heeb",
      Map("model" -> "trend", "ticks_a_step" -> s"$ticksOfTrend") ++ sides("slope", "1") ++ sides("noise", even(spread))
    )(trending),
    "heeb_walk" -> MeasuredPolicy("heeb", Map("model" -> "walk", "alpha" -> "20") ++ sides("step", even(step)))(
      walking
    ),
    "heeb_ar1" -> MeasuredPolicy(
      "heeb",
      Map("model" -> "ar1", "alpha" -> "30") ++ sides("phi", ".9") ++ sides("deviation", s"$deviation")
    )(returning),
    "heeb_ar1_learned" -> MeasuredPolicy("heeb", Map("model" -> "ar1", "alpha" -> "30"))(returning),
    "hist_trend" -> histTrend,
    "hist_trend_meeting" -> histTrend.copy(rowsAMatch = 1)(trending),
    "hist_walk" -> histWalk,
    "hist_walk_meeting" -> histWalk.copy(rowsAMatch = 1)(walking),
    "ijoin" -> ijoin,
    "ijoin_meeting" -> ijoin.copy(rowsAMatch = 1)(common)
  )

  /** By its name in the benchmark; what needs no settings is named as the policy. */
  def of(label: String): MeasuredPolicy = others.getOrElse(label, MeasuredPolicy(label)(common))
}
