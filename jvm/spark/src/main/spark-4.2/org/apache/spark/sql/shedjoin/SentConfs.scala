package org.apache.spark.sql.shedjoin

import java.util.WeakHashMap

import scala.jdk.CollectionConverters.IterableHasAsScala

import org.apache.hadoop.conf.Configuration

import org.apache.spark.broadcast.Broadcast
import org.apache.spark.sql.SparkSession
import org.apache.spark.util.SerializableConfiguration

/** The Hadoop confs that tasks have: a query, whose session is its own, sends one and not one a batch, unless it changed.
  * To pack and to unpack its thousand entries takes longer than a small batch.
  */
object SentConfs {
  final private case class Sent(conf: Configuration, broadcast: Broadcast[SerializableConfiguration])

  private val bySession = new WeakHashMap[SparkSession, Sent]

  def of(session: SparkSession, conf: Configuration): Broadcast[SerializableConfiguration] = synchronized {
    val last = bySession.get(session)
    if (last != null && entries(last.conf) == entries(conf)) last.broadcast
    else {
      val sent = Sent(conf, SerializableConfiguration.broadcast(session.sparkContext, conf))
      bySession.put(session, sent)
      sent.broadcast
    }
  }

  private def entries(conf: Configuration): Set[(String, String)] = conf.asScala.map(e => e.getKey -> e.getValue).toSet
}
