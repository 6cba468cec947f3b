package org.apache.spark.sql.shedjoin

import org.apache.spark.sql.functions.expr
import org.apache.spark.sql.{DataFrame, Dataset}

/** A join of two streams as a test asks for it. */
final case class JoinCase(
    joinType: String,
    key: KeyType,
    twoColumns: Boolean,
    nullSafe: Boolean,
    time: TimeCondition,
    residual: Boolean,
    leftOnly: Boolean,
    rightOnly: Boolean,
    leftDelay: Option[Int],
    rightDelay: Option[Int],
    payloads: Seq[String],
    updateMode: Boolean
) {

  /** Whether rows that are past all windows leave the state on both sides.
    *
    * Spark takes `lv > 1`, where it stays in the join's condition, for a bound of the left time: nothing expires then.
    */
  def isBounded: Boolean = time match {
    case TimeCondition.Unrelated => false
    case _: TimeCondition.Range if leftOnly && Set("left_outer", "full_outer")(joinType) => false
    case TimeCondition.Range(low, high, _) =>
      low.isDefined && high.isDefined && leftDelay.isDefined && rightDelay.isDefined
    case _ => leftDelay.isDefined || rightDelay.isDefined
  }

  /** Whether Spark takes such a join: it must be able to let unmatched rows go. */
  def isLegal: Boolean = {
    val inKey = time match {
      case TimeCondition.Same | _: TimeCondition.Windows => leftDelay.isDefined || rightDelay.isDefined
      case _ => false
    }
    val (low, high) = time match {
      case TimeCondition.Range(low, high, _) =>
        (low.isDefined && leftDelay.isDefined, high.isDefined && rightDelay.isDefined)
      case _ => (false, false)
    }
    joinType match {
      case "inner" => true
      case "left_outer" | "left_semi" => inKey || high
      case "right_outer" => inKey || low
      case "full_outer" => inKey || low || high
    }
  }

  def isSemi: Boolean = joinType == "left_semi"

  /** The query over two streams of events. */
  def over(left: Dataset[Event], right: Dataset[Event]): DataFrame =
    side("l", left, leftDelay).join(side("r", right, rightDelay), expr(condition.mkString(" and ")), joinType)

  private def side(prefix: String, events: Dataset[Event], delay: Option[Int]): DataFrame = {
    val timed = delay.fold(events.toDF())(s => events.toDF().withWatermark("ts", s"$s seconds"))
    val kept = Seq("id as ?id", s"${key.sql} as ?k", "k2 as ?k2", "v as ?v") ++
      payloads.zipWithIndex.map { case (sql, i) => s"$sql as ?p$i" }
    val time1 = time match {
      case TimeCondition.Windows(seconds, slide) if seconds == slide => s"window(ts, '$seconds seconds') as ?win"
      case TimeCondition.Windows(seconds, slide) => s"window(ts, '$seconds seconds', '$slide seconds') as ?win"
      case _ => "ts as ?ts"
    }
    timed.selectExpr((kept :+ time1).map(_.replace("?", prefix)): _*)
  }

  private def condition: Seq[String] = {
    val equals = if (nullSafe) "<=>" else "="
    val keys = s"lk $equals rk" +: (if (twoColumns) Seq("lk2 = rk2") else Nil)
    val times = time match {
      case TimeCondition.Unrelated => Nil
      case TimeCondition.Same => Seq("lts = rts")
      case _: TimeCondition.Windows => Seq("lwin = rwin")
      case range: TimeCondition.Range => range.sql
    }
    keys ++ times ++ Option.when(residual)("(lv + rv) % 3 != 0") ++ Option.when(leftOnly)("lv > 1") ++ Option.when(
      rightOnly
    )("rv < 8")
  }
}

object JoinCase {

  /** An inner join on one key column of whole numbers, with watermarks, of which nothing else is asked. */
  def inner(time: TimeCondition, payload: String): JoinCase = JoinCase(
    "inner",
    KeyType.all.head,
    twoColumns = false,
    nullSafe = false,
    time,
    residual = false,
    leftOnly = false,
    rightOnly = false,
    leftDelay = Some(5),
    rightDelay = Some(5),
    Seq(payload),
    updateMode = false
  )
}

/** Batches of events of both sides, and the join they go through. */
final case class History(
    seed: Long,
    join: JoinCase,
    batches: Vector[Vector[Event]],
    nothingLate: Boolean,
    selfJoin: Boolean,
    partitions: Int,
    codegen: Boolean,
    confs: Map[String, String] = Map.empty
) {

  /** Whether a naive join gives the whole output: nothing is late, Spark lets no row go too early, and does not match null
    * keys with each other, as its outer joins do where its optimizer has not filtered them out.
    */
  def isPlain: Boolean = nothingLate && !matchesNulls && (join.time match {
    case range: TimeCondition.Range => range.spelling.isPlain
    case _ => true
  })

  private def matchesNulls: Boolean =
    (join.joinType.endsWith("outer") || join.key.isRewritten) && !join.nullSafe && batches.exists(_.exists(_.k.isEmpty))

  override def toString: String =
    s"history of seed $seed: $join, ${batches.size} batches, ${batches.map(_.size).sum} rows, $partitions partitions, " +
      confs.toSeq.sorted.map { case (key, value) => s"$key=$value" }.mkString(" ") +
      (if (selfJoin) ", of one source" else "") + (if (nothingLate) ", nothing late" else "")
}
