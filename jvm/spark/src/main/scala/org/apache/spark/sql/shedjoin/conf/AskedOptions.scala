package org.apache.spark.sql.shedjoin.conf

import java.util.Locale

import org.apache.spark.sql.shedjoin.ShedJoinErrors

/** What was asked of one join by name, kept apart by way; `None` where it was not asked that way.
  *
  * Names and values are checked when they enter, and kept as texts until the conf of the session is known too.
  */
final case class AskedOptions(call: Option[Map[String, String]], hint: Option[Map[String, String]]) {

  /** These options, and behind them `farther` ones. */
  def orElse(farther: AskedOptions): AskedOptions =
    AskedOptions(AskedOptions.merge(call, farther.call), AskedOptions.merge(hint, farther.hint))

  /** The options of each way that was used, the nearest first. */
  def layers: Seq[(AskedBy, Map[String, String])] =
    call.map(AskedBy.Call -> _).toSeq ++ hint.map(AskedBy.Hint -> _)

  def askedBy: AskedBy = if (call.isDefined) AskedBy.Call else AskedBy.Hint

  override def toString: String =
    (hint.getOrElse(Map.empty) ++ call.getOrElse(Map.empty)).toSeq.sorted.map { case (k, v) => s"$k=$v" }.mkString(", ")
}

object AskedOptions {

  /** The options written as `option=value`, each checked by the registry. */
  def parse(texts: Seq[String], askedBy: AskedBy): AskedOptions = {
    val pairs = texts.map { text =>
      text.split("=", 2) match {
        case Array(key, value) => checked(key.trim, value.trim, askedBy)
        case _ => throw ShedJoinErrors.malformedHint(s"'$text'")
      }
    }
    val twice = pairs.diff(pairs.distinctBy(_._1)).headOption
    twice.foreach { case (key, _) => throw ShedJoinErrors.optionGivenTwice(askedBy.naming(key)) }
    if (askedBy == AskedBy.Call) AskedOptions(Some(pairs.toMap), None) else AskedOptions(None, Some(pairs.toMap))
  }

  private def checked(key: String, value: String, askedBy: AskedBy): (String, String) = {
    val option = ShedJoinRegistry.find(camelCase(key), askedBy)
    option.parse(value, askedBy)
    option.name -> value
  }

  /** `on_pressure`, as Python writes it, is `onPressure`. */
  private def camelCase(key: String): String = {
    val words = key.split('_').filter(_.nonEmpty)
    (words.take(1) ++ words.drop(1).map(w => w.take(1).toUpperCase(Locale.ROOT) + w.drop(1))).mkString
  }

  private def merge(near: Option[Map[String, String]], far: Option[Map[String, String]]): Option[Map[String, String]] =
    if (near.isEmpty && far.isEmpty) None else Some(far.getOrElse(Map.empty) ++ near.getOrElse(Map.empty))
}
