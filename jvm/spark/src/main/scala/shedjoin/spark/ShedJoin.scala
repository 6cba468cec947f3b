package shedjoin.spark

import org.apache.spark.sql.functions.{coalesce, col, lit}
import org.apache.spark.sql.shedjoin.plan.ResolveHints
import org.apache.spark.sql.shedjoin.{ShedJoinErrors, ShedJoinInstallation, StateReader}
import org.apache.spark.sql.{Column, DataFrame, SparkSession}

/** The Scala API: joins of two streams that run as ShedJoin, and the check that a session can run them. */
object ShedJoin {
  private val watermark = "spark.watermarkDelayMs"
  private val (leftAlias, rightAlias) = ("__shedjoin_left", "__shedjoin_right")

  /** The join of two streams, run as ShedJoin; columns and their order as `left.join(right, on, how)`. The arguments go
    * before those of a hint, and these before the session's conf. In a self-join on a condition, alias both sides and put
    * the time bounds into the condition.
    *
    * @param on     a column name, several, or a condition
    * @param within how far the event times of two joined rows may lie apart
    * @param how    inner, left, right, full or leftsemi, in all spellings of Spark
    * @param memory what the state of this join may take over all its partitions, as "64mb"
    * @param name   how errors and reports call the join
    * @param onPressure what happens when the memory is full
    */
  def join(
      left: DataFrame,
      right: DataFrame,
      on: On,
      within: Option[Within] = None,
      how: String = "inner",
      memory: Option[String] = None,
      name: Option[String] = None,
      onPressure: Option[String] = None
  ): DataFrame = {
    check(left.sparkSession)
    val joined = (on, within) match {
      case (On.Names(names), None) => left.join(right, names, how)
      case (On.Names(names), Some(bounds)) => joinOnNames(left, right, names, bounds, how)
      case (On.Condition(condition), None) => left.join(right, condition, how)
      case (On.Condition(condition), Some(bounds)) =>
        val near = isNear(left(timeOf(left, bounds.leftTime)), right(timeOf(right, bounds.rightTime)), bounds)
        left.join(right, condition && near, how)
    }
    val options = Seq("memory" -> memory, "name" -> name, "onPressure" -> onPressure)
    joined.hint(ResolveHints.callHint, options.collect { case (key, Some(value)) => s"$key=$value" }: _*)
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
  private def joinOnNames(left: DataFrame, right: DataFrame, on: Seq[String], bounds: Within, how: String) = {
    val kind = how.toLowerCase.replace("_", "")
    val (l, r) = (left.as(leftAlias), right.as(rightAlias))
    val equal = on.map(key => of(leftAlias, key) === of(rightAlias, key))
    val near = isNear(
      of(leftAlias, timeOf(left, bounds.leftTime)),
      of(rightAlias, timeOf(right, bounds.rightTime)),
      bounds
    )
    val joined = l.join(r, (equal :+ near).reduce(_ && _), how)
    val keys = on.map(key => keyOf(kind, key).as(key))
    joined.select(keys ++ rest(left, on, leftAlias) ++ (if (isSemi(kind)) Nil else rest(right, on, rightAlias)): _*)
  }

  private def isNear(leftTime: Column, rightTime: Column, bounds: Within): Column =
    rightTime >= leftTime - lit(bounds.before) && rightTime <= leftTime + lit(bounds.after)

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
