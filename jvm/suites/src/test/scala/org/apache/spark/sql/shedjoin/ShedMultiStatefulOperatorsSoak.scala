package org.apache.spark.sql.shedjoin

import org.apache.spark.sql.streaming.MultiStatefulOperatorsSuite

class ShedMultiStatefulOperatorsSoak extends MultiStatefulOperatorsSuite with ShedOn {

  override protected def testsOfSpark: Int = 13

  override protected def holdsJoin(test: String): Boolean = test.contains("join")
}
