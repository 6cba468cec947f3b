package shedjoin.spark

import scala.language.implicitConversions

import org.apache.spark.sql.Column

/** On what two streams are joined; made from a column name, several of them, or a condition. */
sealed trait On

object On {

  /** Columns that both sides have, of which the result keeps one. */
  final case class Names(names: Seq[String]) extends On

  /** A condition over the columns of both sides, all of which the result keeps. */
  final case class Condition(condition: Column) extends On

  implicit def name(name: String): On = Names(Seq(name))
  implicit def names(names: Seq[String]): On = Names(names)
  implicit def condition(condition: Column): On = Condition(condition)
}
