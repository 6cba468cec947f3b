package org.apache.spark.sql.shedjoin

import org.apache.spark.sql.streaming.StreamingFullOuterJoinSuite

class ShedFullOuterJoinSuite extends StreamingFullOuterJoinSuite with ShedOn with OneProvider {

  override protected def testsOfSpark: Int = 6

  override protected def holdsJoin(test: String): Boolean = !test.endsWith("does not support Update mode")
}
