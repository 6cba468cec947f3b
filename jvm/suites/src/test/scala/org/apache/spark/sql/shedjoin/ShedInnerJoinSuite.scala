package org.apache.spark.sql.shedjoin

import org.apache.spark.sql.streaming.StreamingInnerJoinSuite

class ShedInnerJoinSuite extends StreamingInnerJoinSuite with ShedOn with OneProvider {

  override protected def testsOfSpark: Int = 26

  override protected def holdsJoin(test: String): Boolean = !Set(
    "locality preferences of StateStoreAwareZippedRDD",
    "stream stream inner join without equality predicate"
  )(test)

  override protected def excludedByDesign: Map[String, String] = Map(
    "SPARK-35896: metrics in StateOperatorProgress are output correctly" -> "asks for Spark's operator name and stores",
    "SPARK-26187 restore the stream-stream inner join query from Spark 2.4" -> ofSpark,
    s"$from35 changing the join condition (key schema) should fail the query" -> ofSpark,
    s"$from35 changing the value schema should fail the query" -> ofSpark
  )

  private def from35 = "SPARK-48687 - restore the stream-stream inner join query from Spark 3.5 and"

  private def ofSpark = "a checkpoint of Spark's own join"
}
