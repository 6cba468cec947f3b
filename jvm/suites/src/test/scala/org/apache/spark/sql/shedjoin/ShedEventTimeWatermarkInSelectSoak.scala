package org.apache.spark.sql.shedjoin

import org.apache.spark.sql.execution.streaming.EventTimeWatermarkWithWatermarkDefInSelectSuite

class ShedEventTimeWatermarkInSelectSoak extends EventTimeWatermarkWithWatermarkDefInSelectSuite with ShedOn {

  override protected def testsOfSpark: Int = 5

  override protected def holdsJoin(test: String): Boolean = test.startsWith("stream-stream join")
}
