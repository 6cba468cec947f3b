package org.apache.spark.sql.shedjoin

import org.apache.spark.sql.streaming.StreamingOuterJoinSuite

class ShedOuterJoinSuite extends StreamingOuterJoinSuite with ShedOn with OneProvider {

  override protected def testsOfSpark: Int = 21

  override protected def holdsJoin(test: String): Boolean = !test.endsWith("does not support Update mode")

  override protected def excludedByDesign: Map[String, String] = Map(
    "SPARK-26187 restore the stream-stream outer join query from Spark 2.4" -> "a checkpoint of Spark's own join",
    "SPARK-49829 left-outer join, input being unmatched is between WM for late event and WM for eviction" ->
      "looks into the state with Spark's state reader"
  )
}
