package org.apache.spark.sql.shedjoin

import org.apache.spark.sql.streaming.StreamingQuerySuite

class ShedStreamingQuerySoak extends StreamingQuerySuite with ShedOn {

  override protected def testsOfSpark: Int = 48

  override protected def holdsJoin(test: String): Boolean = test.endsWith("source used twice in self-join")
}
