package org.apache.spark.sql.shedjoin.exec

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
  final private case class Sent(entries: Map[String, String], broadcast: Broadcast[SerializableConfiguration])

  private val bySession = new WeakHashMap[SparkSession, Sent]

  def of(session: SparkSession, conf: Configuration): Broadcast[SerializableConfiguration] = synchronized {
    val last = bySession.get(session)
    val entries = conf.asScala.map(entry => entry.getKey -> entry.getValue).toMap
    if (last != null && last.entries == entries) last.broadcast
    else {
      val sent = Sent(entries, SerializableConfiguration.broadcast(session.sparkContext, conf))
      bySession.put(session, sent)
      sent.broadcast
    }
  }
}
