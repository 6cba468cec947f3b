package shedjoin.core

/** Thrown before an allocation that the budget does not allow; nothing was taken.
  *
  * @param parts what the memory in use is used for, the largest first
  */
final class BudgetExceeded(
    val needBytes: Long,
    val usedBytes: Long,
    val limitBytes: Long,
    val parts: Seq[(String, Long)] = Nil
) extends RuntimeException(s"$needBytes bytes asked for, $usedBytes of $limitBytes bytes are in use") {

  /** Such as "rows 51 %, index 38 %", of what is in use. */
  def uses: String =
    parts
      .filter(_._2 > 0)
      .map { case (name, bytes) => s"$name ${math.round(100.0 * bytes / usedBytes)} %" }
      .mkString(", ")
}
