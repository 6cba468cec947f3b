package org.apache.spark.sql.shedjoin.conf

/** The way by which an option reached a join; the nearer one wins. */
sealed abstract class AskedBy(val nearness: Int, val byName: Boolean) {

  /** How an error names the option that was given this way. */
  def naming(option: String): String
}

object AskedBy {

  /** `shedjoin.join` of Python, `ShedJoin.join` of Scala. */
  case object Call extends AskedBy(2, byName = true) {
    override def naming(option: String): String = s"The argument $option of shedjoin.join"
    override def toString: String = "call"
  }

  /** The hint `SHED_JOIN` of SQL and DataFrames. */
  case object Hint extends AskedBy(1, byName = true) {
    override def naming(option: String): String = s"The option $option of the hint SHED_JOIN"
    override def toString: String = "hint"
  }

  /** The conf of the session. */
  case object Conf extends AskedBy(0, byName = false) {
    override def naming(option: String): String = ShedJoinRegistry.confKey(option)
    override def toString: String = "conf"
  }
}
