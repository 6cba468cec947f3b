package org.apache.spark.sql.shedjoin

import java.util.concurrent.atomic.AtomicBoolean

import scala.collection.mutable

import org.scalactic.source.Position
import org.scalatest.{Args, Status, Tag}

import org.apache.spark.SparkConf
import org.apache.spark.sql.execution.streaming.runtime.MemoryStream
import org.apache.spark.sql.functions.expr
import org.apache.spark.sql.internal.StaticSQLConf
import org.apache.spark.sql.streaming.StreamTest

/**
 * Runs one of Spark's own streaming suites with every stream-stream join planned as ours.
 *
 * A suite says how many tests it has and which of them hold a join. So a rule that never fires, an exclusion that
 * names no test, and a suite that shrinks, all fail. Tests are named as Spark's source names them.
 */
trait ShedOn extends StreamTest {

  /** How many tests the suite has, those excluded included. */
  protected def testsOfSpark: Int

  /** Whether a test plans a streaming join. */
  protected def holdsJoin(test: String): Boolean

  /** Tests that a state of our own can not pass, and why. */
  protected def excludedByDesign: Map[String, String] = Map.empty

  /** Tests that do not pass yet, and why. This list may only shrink. */
  protected def failingForNow: Map[String, String] = Map.empty

  private lazy val excludedTests: Map[String, String] =
    if (ShedOn.baseline) Map.empty else excludedByDesign ++ failingForNow
  private lazy val unknown: mutable.Set[String] = mutable.Set.from(excludedTests.keys)
  private var ran = 0

  /** The first join of a JVM loads and compiles what all others use, longer perhaps than Spark's suites wait for an answer. */
  override protected def beforeAll(): Unit = {
    super.beforeAll()
    if (!ShedOn.isWarm.getAndSet(true)) joinOnce()
  }

  private def joinOnce(): Unit = {
    import testImplicits._
    val input = MemoryStream[Int](spark)
    val left = input.toDF().selectExpr("value as l", "timestamp_seconds(value) as lt").withWatermark("lt", "1 second")
    val right = input.toDF().selectExpr("value as r", "timestamp_seconds(value) as rt").withWatermark("rt", "1 second")
    val query = left.join(right, expr("l = r and lt = rt")).writeStream.format("noop").start()
    try {
      input.addData(1 to 100)
      query.processAllAvailable()
    } finally query.stop()
  }

  override protected def sparkConf: SparkConf = super.sparkConf
    .set(StaticSQLConf.SPARK_SESSION_EXTENSIONS.key, ShedOn.extensions.mkString(","))
    .set("spark.shedjoin.enabled", "true")

  override protected def test(name: String, tags: Tag*)(body: => Any)(implicit pos: Position): Unit =
    excludedTests.get(name) match {
      case Some(why) =>
        unknown -= name
        ignore(s"$name: $why", tags: _*)(body)
      case None => super.test(name, tags: _*)(watched(name, body))
    }

  private def watched(name: String, body: => Any): Any = {
    ran += 1
    Tripwire.reset()
    val result = body
    assert((Tripwire.joinsSeen > 0) === holdsJoin(name), s": whether '$name' planned our operator")
    result
  }

  override def run(testName: Option[String], args: Args): Status = {
    assert(unknown.isEmpty, ": exclusions that name no test")
    val status = super.run(testName, args)
    val whole = testName.isEmpty && args.filter.tagsToInclude.isEmpty
    if (whole) assert(ran === testsOfSpark - excludedTests.size, s": tests run by $suiteName")
    status
  }
}

object ShedOn {

  /** `-Dshedjoin.baseline=true` runs the suites on Spark's own operator: to tell a fault of ours from one of Spark's. */
  val baseline: Boolean = java.lang.Boolean.getBoolean("shedjoin.baseline")

  private val isWarm = new AtomicBoolean

  private[shedjoin] def extensions: Seq[String] =
    (if (baseline) Nil else Seq("org.apache.spark.sql.shedjoin.ShedJoinExtensions")) :+ classOf[Tripwire].getName
}
