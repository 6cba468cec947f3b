package shedjoin.core

/** Thrown before an allocation that the budget does not allow; nothing was taken. */
final class BudgetExceeded(val needBytes: Long, val usedBytes: Long, val limitBytes: Long)
    extends RuntimeException(s"$needBytes bytes asked for, $usedBytes of $limitBytes bytes are in use")
