package shedjoin.core.policy

/** The weight of a row, by which a policy multiplies its worth: its importance (paper 2, section 3.1), one over what it takes
  * of memory, or both.
  */
final private[policy] class Weighing(byImportance: Boolean, byBytes: Boolean, facts: RowFacts) {
  val isAny: Boolean = byImportance || byBytes

  /** The weight, where less than nothing is nothing. O(1). */
  def atLeast0(row: Int): Double = {
    val weight = if (isAny) factor(row) else 1
    if (weight > 0) weight else 0
  }

  /** The weight. O(1). */
  def factor(row: Int): Double = {
    val importance = if (byImportance) facts.importance(row) else 1.0
    if (byBytes) importance / facts.bytes(row) else importance
  }
}

private[policy] object Weighing {
  private val both = "both"
  private val importance = "importance"
  private val bytes = "bytes"

  def parameter(default: String): PolicyParameter[String] = PolicyParameter(
    "weigh",
    ParameterKind.Choice(both, importance, bytes, "nothing"),
    default,
    "What the partners a row expects are multiplied by: its importance, one over its bytes, both or nothing."
  )

  def none(facts: RowFacts): Weighing = new Weighing(byImportance = false, byBytes = false, facts)

  def apply(chosen: String, facts: RowFacts): Weighing =
    new Weighing(Seq(both, importance).contains(chosen), Seq(both, bytes).contains(chosen), facts)
}
