package org.apache.spark.sql.shedjoin

import org.scalatest.Tag

import org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider
import org.apache.spark.sql.streaming.StreamingJoinSuite

/** Spark's join suites repeat each test for each of its providers; ours is the one that counts, so once is enough. */
trait OneProvider extends StreamingJoinSuite {

  override protected def testMode: Mode = Mode.WithoutVCF

  override def testWithoutVirtualColumnFamilyJoins(name: String, tags: Tag*)(body: => Any): Unit =
    if (!name.contains(classOf[RocksDBStateStoreProvider].getSimpleName))
      super.testWithoutVirtualColumnFamilyJoins(name, tags: _*)(body)
}
