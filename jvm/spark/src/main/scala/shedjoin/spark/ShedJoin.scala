package shedjoin.spark

import org.apache.spark.sql.functions.{coalesce, col, lit}
import org.apache.spark.sql.shedjoin.{ResolveHints, ShedJoinErrors, ShedJoinInstallation, StateReader}
import org.apache.spark.sql.{Column, DataFrame, SparkSession}

/** The Scala API: joins of two streams that run as ShedJoin, and the check that a session can run them. */
object ShedJoin {
  private val watermark = "spark.watermarkDelayMs"
  private val (leftAlias, rightAlias) = ("__shedjoin_left", "__shedjoin_right")

  /** The join of two streams on equal columns, run as ShedJoin; columns and their order as `left.join(right, on, how)`.
    *
    * @param how
    *   inner, left, right, full or leftsemi, in all spellings of Spark
    * @param options
    *   the options of `docs/configuration.md`, which go before those of a hint and of the session
    */
  def join(
      left: DataFrame,
      right: DataFrame,
      on: Seq[String],
      within: Option[Within] = None,
      how: String = "inner",
      options: Map[String, String] = Map.empty
  ): DataFrame = {
    check(left.sparkSession)
    val joined = within match {
      case None => left.join(right, on, how)
      case Some(bounds) => joinWithin(left, right, on, bounds, how)
    }
    joined.hint(ResolveHints.callHint, options.map { case (key, value) => s"$key=$value" }.toSeq: _*)
  }

  /** Throws unless the session has the extension, of the version of Spark that runs. */
  def check(spark: SparkSession): Unit = ShedJoinInstallation.of(spark).problem.foreach(throw _)

  /** The state of a join in the checkpoint of a query, after its last committed batch: one row for each stored row, with
    * partition, side, event time, whether it was matched, key, and the row itself under `left` or `right`.
    *
    * @param operator
    *   which join, by the number of its state folder; needed where a query has several
    */
  def state(spark: SparkSession, checkpoint: String, operator: Option[Long] = None): DataFrame =
    StateReader.read(spark, checkpoint, operator)

  /** A join on names that keeps each key once, as Spark's does, though its condition holds more than equalities. */
  private def joinWithin(left: DataFrame, right: DataFrame, on: Seq[String], bounds: Within, how: String) = {
    val kind = how.toLowerCase.replace("_", "")
    val (l, r) = (left.as(leftAlias), right.as(rightAlias))
    val equal = on.map(key => of(leftAlias, key) === of(rightAlias, key))
    val (leftTime, rightTime) =
      (of(leftAlias, timeOf(left, bounds.leftTime)), of(rightAlias, timeOf(right, bounds.rightTime)))
    val near = rightTime >= leftTime - lit(bounds.before) && rightTime <= leftTime + lit(bounds.after)
    val joined = l.join(r, (equal :+ near).reduce(_ && _), how)
    val keys = on.map(key => keyOf(kind, key).as(key))
    joined.select(keys ++ rest(left, on, leftAlias) ++ (if (isSemi(kind)) Nil else rest(right, on, rightAlias)): _*)
  }

  private def keyOf(kind: String, key: String): Column = kind match {
    case "right" | "rightouter" => of(rightAlias, key)
    case "full" | "fullouter" | "outer" => coalesce(of(leftAlias, key), of(rightAlias, key))
    case _ => of(leftAlias, key)
  }

  private def isSemi(kind: String): Boolean = kind == "semi" || kind == "leftsemi"

  private def rest(side: DataFrame, on: Seq[String], alias: String): Seq[Column] =
    side.columns.toSeq.filterNot(column => on.exists(_.equalsIgnoreCase(column))).map(of(alias, _))

  private def of(alias: String, column: String): Column = col(s"$alias.`${column.replace("`", "``")}`")

  private def timeOf(side: DataFrame, named: Option[String]): String = named.getOrElse {
    side.schema.filter(_.metadata.contains(watermark)).map(_.name) match {
      case Seq(one) => one
      case found => throw ShedJoinErrors.noTimeColumn(found)
    }
  }
}
