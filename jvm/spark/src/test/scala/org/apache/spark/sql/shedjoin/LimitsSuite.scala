package org.apache.spark.sql.shedjoin

import java.util.concurrent.ConcurrentLinkedQueue

import scala.jdk.CollectionConverters._

import org.apache.logging.log4j.LogManager
import org.apache.logging.log4j.core.appender.AbstractAppender
import org.apache.logging.log4j.core.config.Property
import org.apache.logging.log4j.core.{LogEvent, Logger}
import org.scalatest.funsuite.AnyFunSuite

import org.apache.spark.sql.shedjoin.conf.{AskedBy, ShedJoinOptions}

/** What is said of a memory that the heap may not hold. */
class LimitsSuite extends AnyFunSuite with LocalSpark {
  private val heap = Runtime.getRuntime.maxMemory
  private val third = heap / 3
  private val memory = "spark.shedjoin.memory"

  test("a join whose memory is more than the safe part of the heap says so in the log, with both figures") {
    val said = logged(ShedJoinLimits.check(options(third + 1), 2, spark.sparkContext))
    assert(said.size == 1)
    assert(said.head.startsWith(s"The join bids: the option memory is ${third + 1} bytes; of the heap of $heap bytes"))
    assert(said.head.contains(s"that spark.driver.memory gives, $third bytes are safe whatever the rows"))
    assert(said.head.contains(s"and ${third * 2} bytes where none is longer than 512 KiB"))
  }

  test("a join whose memory is the safe part of the heap says nothing") {
    assert(logged(ShedJoinLimits.check(options(third), 2, spark.sparkContext)).isEmpty)
  }

  test("a session is told of its memory, if it gives one") {
    assert(ShedJoinLimits.warning(spark).isEmpty)
    withConf(memory -> third.toString)(assert(ShedJoinLimits.warning(spark).isEmpty))
    withConf(memory -> (third + 1).toString) {
      assert(ShedJoinLimits.warning(spark).exists(_.contains(s"$third bytes are safe")))
    }
  }

  private def options(bytes: Long) =
    ShedJoinOptions(memory = Some(bytes), onPressure = "fail", name = Some("bids"), askedBy = AskedBy.Conf)

  /** What of the limits is logged meanwhile. */
  private def logged(action: => Unit): Seq[String] = {
    val came = new ConcurrentLinkedQueue[String]
    val appender = new AbstractAppender("limits", null, null, true, Property.EMPTY_ARRAY) {
      override def append(event: LogEvent): Unit = {
        came.add(event.getMessage.getFormattedMessage)
        ()
      }
    }
    appender.start()
    val logger = LogManager.getLogger(ShedJoinLimits.getClass.getName.stripSuffix("$")).asInstanceOf[Logger]
    logger.addAppender(appender)
    try action
    finally logger.removeAppender(appender)
    came.asScala.toSeq
  }
}
