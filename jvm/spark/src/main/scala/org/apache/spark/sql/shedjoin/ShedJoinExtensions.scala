package org.apache.spark.sql.shedjoin

import java.util.{Collections, WeakHashMap}

import org.apache.spark.sql.shedjoin.conf.ShedJoinConf
import org.apache.spark.sql.shedjoin.plan.{FoldHints, InstallRewrite, ResolveHints, SettleHints, ShedJoinStrategy}
import org.apache.spark.sql.{SparkSessionExtensions, SparkSessionExtensionsProvider}

/** The extension of a Spark session that plans stream-stream joins as ShedJoin.
  *
  * Spark finds it by `spark.sql.extensions`, or by the service file in the jar alone; with both it acts once.
  */
final class ShedJoinExtensions extends SparkSessionExtensionsProvider {

  override def apply(extensions: SparkSessionExtensions): Unit =
    if (ShedJoinExtensions.seen.add(extensions)) {
      ShedJoinConf.register()
      extensions.injectHintResolutionRule(_ => ResolveHints)
      extensions.injectPostHocResolutionRule(_ => FoldHints)
      extensions.injectPostHocResolutionRule(InstallRewrite(_))
      extensions.injectOptimizerRule(_ => SettleHints)
      extensions.injectPlannerStrategy(_ => ShedJoinStrategy)
    }
}

object ShedJoinExtensions {

  /** Compares by identity, for `SparkSessionExtensions` defines no equality. */
  private val seen =
    Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap[SparkSessionExtensions, java.lang.Boolean]))
}
