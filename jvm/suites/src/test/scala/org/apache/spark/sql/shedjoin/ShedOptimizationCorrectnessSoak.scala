package org.apache.spark.sql.shedjoin

import org.apache.spark.sql.streaming.StreamingQueryOptimizationCorrectnessSuite

class ShedOptimizationCorrectnessSoak extends StreamingQueryOptimizationCorrectnessSuite with ShedOn {

  override protected def testsOfSpark: Int = 14

  override protected def holdsJoin(test: String): Boolean = test.startsWith("stream stream join")
}
