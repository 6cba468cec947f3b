package org.apache.spark.sql.shedjoin.conf

import java.util.Locale

import scala.util.Try

import org.apache.spark.network.util.JavaUtils
import org.apache.spark.sql.shedjoin.ShedJoinErrors
import org.apache.spark.sql.shedjoin.conf.OptionSpec.{Invalid, NotYet}

/** The registry of all options: conf entries, hint parameters, arguments and `docs/configuration.md` are made from it. */
object ShedJoinRegistry {
  val confPrefix = "spark.shedjoin."

  def confKey(option: String): String = confPrefix + option

  private val everyWay: Set[AskedBy] = Set(AskedBy.Call, AskedBy.Hint, AskedBy.Conf)
  private val byName: Set[AskedBy] = Set(AskedBy.Call, AskedBy.Hint)

  val enabled: OptionSpec[Boolean] = OptionSpec(
    "enabled",
    "boolean",
    "false in the session, true in a hint",
    "Whether joins of two streams run as ShedJoin. In a hint, `enabled=false` leaves that one join to Spark.",
    Set(AskedBy.Hint, AskedBy.Conf),
    text => text.trim.toLowerCase(Locale.ROOT).toBooleanOption.toRight(Invalid("true or false"))
  )

  val memory: OptionSpec[Long] = OptionSpec(
    "memory",
    "size in bytes",
    "none: exact and unbounded, as Spark's own join",
    "The most memory that the state of one join may take, over all its partitions together.",
    everyWay,
    text =>
      Try(JavaUtils.byteStringAsBytes(text.filterNot(_.isWhitespace))).toOption
        .filter(_ > 0)
        .toRight(Invalid("a size above zero, such as 64mb, 2g or a plain number of bytes"))
  )

  val onPressure: OptionSpec[String] = OptionSpec(
    "onPressure",
    "fail",
    "fail",
    "What happens when `memory` is full: `fail` stops the query before anything of that batch is committed.",
    everyWay,
    text =>
      text.trim.toLowerCase(Locale.ROOT) match {
        case "fail" => Right("fail")
        case "shed" | "sample" | "spill" => Left(NotYet("fail"))
        case _ => Left(Invalid("fail"))
      }
  )

  val name: OptionSpec[String] = OptionSpec(
    "name",
    "text",
    "none",
    "The name of the join in plans, errors and reports.",
    byName,
    text =>
      Some(text.trim)
        .filter(_.matches("[A-Za-z0-9_.-]{1,64}"))
        .toRight(Invalid("1 to 64 letters, digits, and the signs _ . -"))
  )

  /** Every option there is, in the order of the docs. */
  val all: Seq[OptionSpec[_]] = Seq(enabled, memory, onPressure, name)

  /** Options of features that are planned: refused by name, so that no one believes that they act. */
  val notYet: Set[String] = Set("policy", "sample", "importance")

  /** The option of that name, in any case, that may be given this way; an error by name otherwise. */
  def find(asked: String, askedBy: AskedBy): OptionSpec[_] = {
    val allowed = all.filter(_.ways(askedBy))
    allowed.find(_.name.equalsIgnoreCase(asked)).getOrElse {
      if (notYet.exists(_.equalsIgnoreCase(asked))) {
        throw ShedJoinErrors.optionNotAvailableYet(askedBy.naming(asked), allowed.map(o => spelled(o, askedBy)))
      }
      throw ShedJoinErrors.unknownOption(askedBy.naming(asked), allowed.map(o => spelled(o, askedBy)), elsewhere(asked))
    }
  }

  private def spelled(option: OptionSpec[_], askedBy: AskedBy): String =
    if (askedBy == AskedBy.Conf) confKey(option.name) else option.name

  private def elsewhere(asked: String): Option[String] =
    all.find(_.name.equalsIgnoreCase(asked)).map(_.ways.toSeq.sortBy(-_.nearness).map(_.toString).mkString(" or "))
}
