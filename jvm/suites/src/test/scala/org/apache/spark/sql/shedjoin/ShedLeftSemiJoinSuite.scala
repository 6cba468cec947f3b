package org.apache.spark.sql.shedjoin

import org.apache.spark.sql.streaming.StreamingLeftSemiJoinSuite

class ShedLeftSemiJoinSuite extends StreamingLeftSemiJoinSuite with ShedOn with OneProvider {

  override protected def testsOfSpark: Int = 11

  override protected def holdsJoin(test: String): Boolean = true

  override protected def excludedByDesign: Map[String, String] = Map(
    "SPARK-49829 two chained stream-stream left outer joins among three input streams" ->
      "looks into the state with Spark's state reader"
  )
}
