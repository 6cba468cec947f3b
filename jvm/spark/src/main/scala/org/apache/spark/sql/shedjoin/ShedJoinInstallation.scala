package org.apache.spark.sql.shedjoin

import org.apache.spark.SPARK_VERSION
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.shedjoin.plan.RewriteJoins

/** What of ShedJoin a session has: the versions that met, and whether the extension acts. */
final case class ShedJoinInstallation(
    version: String,
    builtForSpark: String,
    runningSpark: String,
    runningScala: String,
    active: Boolean
) {

  /** What is wrong, if anything. */
  def problem: Option[ShedJoinException] =
    if (!runningSpark.startsWith(s"$builtForSpark.")) Some(ShedJoinErrors.otherSpark(builtForSpark, runningSpark))
    else if (!active) Some(ShedJoinErrors.notLoaded())
    else None
}

object ShedJoinInstallation {

  /** What `spark` has; analyses a plan of one row to see whether the extension acts. */
  def of(spark: SparkSession): ShedJoinInstallation = {
    spark.range(1).schema
    ShedJoinInstallation(
      version = ShedJoinBuild.version,
      builtForSpark = ShedJoinBuild.spark,
      runningSpark = SPARK_VERSION,
      runningScala = scala.util.Properties.versionNumberString,
      active = spark.experimental.extraOptimizations.contains(RewriteJoins)
    )
  }
}
