package org.apache.spark.sql.shedjoin

import scala.reflect.ClassTag
import scala.util.control.NonFatal

import org.apache.hadoop.conf.Configuration
import org.objenesis.ObjenesisStd

import org.apache.spark.broadcast.Broadcast
import org.apache.spark.{ContextCleaner, SparkContext}

/** Stands for the SparkContext while Spark's join operator, our superclass, is constructed.
  *
  * That constructor copies the whole Hadoop conf and broadcasts it, 5 ms each time, and planning a batch makes eight
  * operators; ours sends the conf to its tasks itself, once a batch. Made without a constructor, since that of a
  * SparkContext starts one.
  */
final class ConstructionContext extends SparkContext {
  private var real: SparkContext = _
  private var empty: Configuration = _

  override def hadoopConfiguration: Configuration = empty

  override private[spark] def cleaner: Option[ContextCleaner] = real.cleaner

  /** Nothing is broadcast: only methods that ours override would read it. */
  override def broadcast[T: ClassTag](value: T): Broadcast[T] = null
}

object ConstructionContext {

  /** The stand-in for `real`, or `real` itself where this JVM makes no object without its constructor. */
  def of(real: SparkContext): SparkContext =
    try {
      val made = new ObjenesisStd().newInstance(classOf[ConstructionContext])
      made.real = real
      made.empty = new Configuration(false)
      made
    } catch { case NonFatal(_) | _: LinkageError => real }
}
