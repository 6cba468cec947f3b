package org.apache.spark.sql.shedjoin

import org.apache.spark.sql.streaming.EventTimeWatermarkSuite

class ShedEventTimeWatermarkSoak extends EventTimeWatermarkSuite with ShedOn {

  override protected def testsOfSpark: Int = 35

  override protected def holdsJoin(test: String): Boolean = test.contains("multiple event time columns")
}
