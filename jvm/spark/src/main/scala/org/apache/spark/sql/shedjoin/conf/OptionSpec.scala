package org.apache.spark.sql.shedjoin.conf

import org.apache.spark.sql.shedjoin.ShedJoinErrors

/** One option of a join as users see it: its name, type, default, doc line and check.
  *
  * @param check
  *   the value meant by a text, or why it is refused
  */
final case class OptionSpec[T](
    name: String,
    typeName: String,
    default: String,
    doc: String,
    ways: Set[AskedBy],
    check: String => Either[OptionSpec.Refusal, T]
) {

  /** The value meant by `text`; an error that names the option and the way it came otherwise. */
  def parse(text: String, askedBy: AskedBy): T = check(text) match {
    case Right(value) => value
    case Left(OptionSpec.Invalid(allowed)) => throw ShedJoinErrors.invalidOption(askedBy.naming(name), text, allowed)
    case Left(OptionSpec.NotYet(available)) =>
      throw ShedJoinErrors.valueNotAvailableYet(askedBy.naming(name), text, available)
  }
}

object OptionSpec {

  /** Why a text is not a value of an option. */
  sealed trait Refusal

  /** The text means nothing; `allowed` says what would. */
  final case class Invalid(allowed: String) extends Refusal

  /** The text means something that this release can not do; `available` says what it can. */
  final case class NotYet(available: String) extends Refusal
}
