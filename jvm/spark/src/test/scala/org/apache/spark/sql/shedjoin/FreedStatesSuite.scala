package org.apache.spark.sql.shedjoin

import java.io.File
import java.util.UUID

import org.apache.hadoop.conf.Configuration
import org.scalatest.funsuite.AnyFunSuite
import shedjoin.state.StateClosed

import org.apache.spark.sql.execution.streaming.runtime.StreamExecution
import org.apache.spark.sql.execution.streaming.state.{
  NoPrefixKeyStateEncoderSpec,
  StateStoreConf,
  StateStoreId,
  StateStoreProvider
}
import org.apache.spark.sql.shedjoin.store.ShedStateStoreProvider
import org.apache.spark.sql.types.{IntegerType, StructType}

/** What a provider of a partition's state holds, and that it goes with the provider, or with the next one of the same place. */
class FreedStatesSuite extends AnyFunSuite with LocalSpark {
  private val schema = new StructType().add("k", IntegerType)

  /** A provider as Spark makes one for a run of a query, that has committed a version. */
  private def provider(checkpoint: File, partition: Int): StateStoreProvider = {
    val hadoopConf = new Configuration(spark.sparkContext.hadoopConfiguration)
    hadoopConf.set(StreamExecution.RUN_ID_KEY, UUID.randomUUID.toString)
    val made = new ShedStateStoreProvider
    made.init(
      StateStoreId(checkpoint.toString, 0, partition),
      schema,
      schema,
      NoPrefixKeyStateEncoderSpec(schema),
      useColumnFamilies = false,
      new StateStoreConf(spark.sessionState.conf),
      hadoopConf
    )
    made
  }

  private def commit(provider: StateStoreProvider, version: Long): Unit =
    assert(provider.getStore(version, None, forceSnapshotOnCommit = false, loadEmpty = false).commit() == version + 1)

  test("a state of an earlier run is freed when the next one begins at the same place, and no other state is") {
    withConf("spark.sql.streaming.stateStore.commitValidationEnabled" -> "false")(withFolder { checkpoint =>
      val earlier = Seq(0, 1).map(provider(checkpoint, _))
      earlier.foreach(commit(_, 0))
      val next = provider(checkpoint, 0)
      intercept[StateClosed](commit(earlier.head, 1))
      commit(earlier(1), 1)
      commit(next, 1)
      // Spark closes the provider of the earlier run when it likes: that of the next one is not touched.
      earlier.head.close()
      commit(next, 2)
      Seq(next, earlier(1)).foreach(_.close())
      Seq(next, earlier(1)).foreach(closed => intercept[StateClosed](commit(closed, 2)))
    })
  }
}
