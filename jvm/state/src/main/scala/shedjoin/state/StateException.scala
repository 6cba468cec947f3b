package shedjoin.state

/** An error of the state that a user can act on, with a stable id. */
sealed class StateException(val id: String, text: String, cause: Throwable = null)
    extends RuntimeException(s"[$id] $text", cause)

/** A file of the state is not what it was when it was written, or is not there. */
final class DamagedStateFile(val path: String, what: String, cause: Throwable = null)
    extends StateException(
      "SHEDJOIN_DAMAGED_STATE_FILE",
      s"The state file $path can not be read: $what. Nothing after it was used. Restore the file from a backup of the " +
        "checkpoint, or start the query with a new checkpoint location.",
      cause
    )

/** Another attempt of the same task still writes this partition's state. */
final class StateBusy(where: String, waitedMs: Long)
    extends StateException(
      "SHEDJOIN_STATE_BUSY",
      s"The state of $where is being written by another attempt, which did not end within $waitedMs ms. The task may be " +
        "tried again; if this repeats, look for a task that hangs."
    )

/** The attempt that used this state has ended, or a newer run of the query took the state over. */
final class StateClosed(where: String)
    extends StateException(
      "SHEDJOIN_STATE_CLOSED",
      s"The state of $where was used after the attempt of the task had ended, or a newer run of the query had taken it " +
        "over. Nothing of this attempt was committed after that; a thread that outlived its task needs no mending."
    )
