package org.apache.spark.sql.shedjoin.recovery

import java.util.concurrent.atomic.AtomicInteger

/** A moment in the life of a kind of file (or of a task) at which a driver halts, the `nth` time it comes to it. */
final case class CrashPoint(what: String, moment: String, nth: Int = 3) {
  override def toString: String = s"$what/$moment/$nth"
}

/** The one crash point of this JVM, if it has one. */
object CrashPoint {

  /** The system property that holds the point. */
  val Key = "shedjoin.crashPoint"

  /** The exit code of a driver that halted at its point. */
  val ExitCode = 99

  private val here: Option[CrashPoint] = sys.props.get(Key).map(_.split('/')).collect { case Array(what, moment, nth) =>
    CrashPoint(what, moment, nth.toInt)
  }
  private val times = new AtomicInteger

  /** Halts the JVM, without any hook or flush, if this is the point. */
  def reached(what: String, moment: String): Unit =
    if (here.exists(p => p.what == what && p.moment == moment && times.incrementAndGet() == p.nth)) {
      Runtime.getRuntime.halt(ExitCode)
    }

  private val Kinds = Seq(
    "delta" -> """.*/state/\d+/\d+/[^/.]+\.delta""",
    "snapshot" -> """.*/state/\d+/\d+/[^/.]+\.snapshot""",
    "state metadata" -> ".*/state/.*/_metadata/.*",
    "offset log" -> """.*/offsets/\d+""",
    "commit log" -> """.*/commits/\d+""",
    "source log" -> """.*/sources/\d+/\d+(\.compact)?""",
    "sink log" -> """.*/_spark_metadata/\d+(\.compact)?"""
  ).map { case (kind, pattern) => kind -> pattern.r }

  /** What kind of file a path names. */
  def kindOf(path: String): String =
    Kinds.collectFirst { case (kind, pattern) if pattern.matches(path) => kind }.getOrElse("other")
}
