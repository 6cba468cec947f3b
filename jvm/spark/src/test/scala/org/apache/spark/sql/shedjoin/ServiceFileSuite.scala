package org.apache.spark.sql.shedjoin

import org.apache.spark.sql.functions.expr

/** The jar alone, without `spark.sql.extensions`. */
class ServiceFileSuite extends Sessions {
  override protected def conf: Map[String, String] = Map.empty

  test("the service file loads the extension") {
    assert(spark.conf.getOption("spark.sql.extensions").isEmpty)
    assert(shedJoins(stream("1").join(stream("2"), expr("k1 = k2")).hint("shed_join")).size == 1)
  }
}
