package org.apache.spark.sql.shedjoin

import org.apache.spark.sql.AnalysisException

/** An error that a user can mend, with a stable id; PySpark shows it as an `AnalysisException`. */
final class ShedJoinException(val id: String, text: String, problem: Option[Throwable] = None)
    extends AnalysisException(message = s"[$id] $text", cause = problem, errorClass = Some(id))
