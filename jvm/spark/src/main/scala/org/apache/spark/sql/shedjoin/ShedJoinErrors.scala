package org.apache.spark.sql.shedjoin

import shedjoin.core.BudgetExceeded

import org.apache.spark.sql.shedjoin.conf.AskedBy
import org.apache.spark.sql.shedjoin.exec.JoinNaming

/** The errors of planning: each says what happened, what was given, what is allowed and what to do. */
object ShedJoinErrors {

  /** The option does not exist; `elsewhere` names the ways in which it does. */
  def unknownOption(naming: String, known: Seq[String], elsewhere: Option[String]): ShedJoinException = {
    val hint = elsewhere.fold("Correct or remove it.")(ways => s"Give it by $ways.")
    new ShedJoinException(
      "SHEDJOIN_UNKNOWN_OPTION",
      s"$naming is not an option here; known are ${known.mkString(", ")}. $hint"
    )
  }

  /** A hint's parameter is not of the form `'option=value'`. */
  def malformedHint(value: String): ShedJoinException = new ShedJoinException(
    "SHEDJOIN_INVALID_OPTION",
    s"The hint SHED_JOIN was given $value; its parameters are texts of the form 'option=value'. " +
      "Write for example SHED_JOIN('memory=64mb', 'name=bids')."
  )

  /** An option is given twice in one place. */
  def optionGivenTwice(naming: String): ShedJoinException =
    new ShedJoinException("SHEDJOIN_INVALID_OPTION", s"$naming is given twice; once is allowed. Remove one of them.")

  /** The value of an option means nothing. */
  def invalidOption(naming: String, value: String, allowed: String): ShedJoinException = new ShedJoinException(
    "SHEDJOIN_INVALID_OPTION",
    s"$naming is '$value'; allowed is $allowed. Correct it, or remove it to use the default."
  )

  /** The option belongs to a feature that this release does not have. */
  def optionNotAvailableYet(naming: String, known: Seq[String]): ShedJoinException = new ShedJoinException(
    "SHEDJOIN_NOT_AVAILABLE_YET",
    s"$naming belongs to a feature that this release does not have; it has ${known.mkString(", ")}. Remove it."
  )

  /** The value belongs to a feature that this release does not have. */
  def valueNotAvailableYet(naming: String, value: String, available: String): ShedJoinException =
    new ShedJoinException(
      "SHEDJOIN_NOT_AVAILABLE_YET",
      s"$naming is '$value', which this release can not do; it can do $available. Use that, or remove it."
    )

  /** The join was asked for by name and can not be taken. */
  def joinNotTaken(askedBy: AskedBy, reason: String, join: String): ShedJoinException = new ShedJoinException(
    "SHEDJOIN_JOIN_NOT_TAKEN",
    s"ShedJoin was asked for by $askedBy, but $reason: $join. " +
      "ShedJoin takes inner, outer and left semi joins of two streams that have an equality between their columns. " +
      s"Change the join, or leave it to Spark by removing the $askedBy."
  )

  /** The checkpoint was written by the other kind of join. */
  def checkpointOfOtherJoin(checkpoint: String, written: String, planned: String, way: String): ShedJoinException =
    new ShedJoinException(
      "SHEDJOIN_CHECKPOINT_OF_OTHER_JOIN",
      s"The checkpoint $checkpoint holds the state of $written, but this query now runs that join as $planned; " +
        s"neither can read the state of the other. Start the query with a new checkpoint location, or $way."
    )

  /** A partition's share of the memory is full and nothing may be shed. */
  def outOfMemory(
      naming: JoinNaming,
      partition: Int,
      e: BudgetExceeded,
      largestKeys: Seq[String]
  ): ShedJoinException = {
    val need = e.usedBytes + e.needBytes
    new ShedJoinException(
      "SHEDJOIN_OUT_OF_MEMORY",
      s"The state of ${naming.join} does not fit its memory: partition $partition needs at least $need bytes, its share is " +
        s"${naming.share} bytes (${naming.memoryBytes} bytes over ${naming.partitions} partitions). In use: ${e.uses}. " +
        s"Its largest keys are ${largestKeys.mkString(", ")}. Nothing of this batch was committed; start the query again " +
        s"with more memory, at least ${need * naming.partitions} bytes if all partitions are alike, or with a shorter window."
    )
  }

  /** The state of the checkpoint is larger than the share that its partition has now. */
  def storedStateTooLarge(naming: JoinNaming, partition: Int, e: BudgetExceeded): ShedJoinException = {
    val need = e.usedBytes + e.needBytes
    new ShedJoinException(
      "SHEDJOIN_OUT_OF_MEMORY",
      s"The state of ${naming.join} in the checkpoint does not fit its memory: partition $partition needs at least $need " +
        s"bytes, its share is ${naming.share} bytes (${naming.memoryBytes} bytes over ${naming.partitions} partitions). The " +
        s"checkpoint is untouched; start the query again with more memory, at least ${need * naming.partitions} bytes if all " +
        "partitions are alike."
    )
  }

  /** The memory is less than any state needs. */
  def budgetTooSmall(memory: Long, partitions: Int, leastShare: Long): ShedJoinException = new ShedJoinException(
    "SHEDJOIN_BUDGET_TOO_SMALL",
    s"The option memory is $memory bytes, ${memory / partitions} bytes for each of $partitions partitions; the least is " +
      s"$leastShare bytes a partition. Raise it to ${leastShare * partitions} bytes or more, or lower " +
      "spark.sql.shuffle.partitions before the query's first start."
  )

  /** Somebody used the join's state as a map. */
  def notKeyValue(call: String): ShedJoinException = new ShedJoinException(
    "SHEDJOIN_NOT_KEY_VALUE",
    s"$call was called on the state of a ShedJoin, which holds no keys and values. Read it with shedjoin.state."
  )

  /** Something Spark offers for its own operators that this one does not have. */
  def notSupported(what: String, instead: String): ShedJoinException =
    new ShedJoinException("SHEDJOIN_NOT_SUPPORTED", s"ShedJoin does not support $what. $instead")

  /** There is nothing to read. */
  def noJoinState(checkpoint: String): ShedJoinException = new ShedJoinException(
    "SHEDJOIN_NO_STATE",
    s"The checkpoint $checkpoint holds no committed state of a ShedJoin. Give the checkpointLocation of a streaming query " +
      "that ran one and has finished a batch."
  )

  /** The checkpoint holds several joins, or not the one asked for. */
  def whichJoin(checkpoint: String, asked: Option[Long], known: Seq[Long]): ShedJoinException = new ShedJoinException(
    "SHEDJOIN_WHICH_JOIN",
    s"The checkpoint $checkpoint holds the ShedJoins ${known.mkString(", ")}, and ${asked.fold("none")(_.toString)} was " +
      "asked for. Give one of them as operator."
  )

  /** The session does not have the extension. */
  def notLoaded(): ShedJoinException = new ShedJoinException(
    "SHEDJOIN_NOT_LOADED",
    "This Spark session was started without the ShedJoin extension, so Spark would run its own join, without a cap. " +
      "Start the session with the jar on the class path of the driver (--jars), or with " +
      s"spark.sql.extensions=${classOf[ShedJoinExtensions].getName}."
  )

  /** The jar is for another version of Spark. */
  def otherSpark(builtFor: String, running: String): ShedJoinException = new ShedJoinException(
    "SHEDJOIN_NOT_LOADED",
    s"This ShedJoin jar is for Spark $builtFor, but Spark $running runs. Use the jar whose name carries your version."
  )

  /** An argument of a call means nothing. */
  def invalidArgument(argument: String, value: String, allowed: String): ShedJoinException = new ShedJoinException(
    "SHEDJOIN_INVALID_OPTION",
    s"The argument $argument of shedjoin.join is $value; allowed is $allowed. Correct it."
  )

  /** `within` needs one event-time column a side, and `found` are those of one side. */
  def noTimeColumn(found: Seq[String]): ShedJoinException = {
    val have = if (found.isEmpty) "no column" else found.mkString(" and ")
    new ShedJoinException(
      "SHEDJOIN_INVALID_OPTION",
      s"The argument within of shedjoin.join needs one event-time column a side, but on one side $have has a " +
        "watermark. Call withWatermark on that side, or name the column in within."
    )
  }
}
