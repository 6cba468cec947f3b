package org.apache.spark.sql.shedjoin.exec

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

  override def hadoopConfiguration: Configuration = ConstructionContext.EmptyConf

  override private[spark] def cleaner: Option[ContextCleaner] = real.cleaner

  /** Nothing is broadcast: only methods that ours override would read it. */
  override def broadcast[T: ClassTag](value: T): Broadcast[T] = null
}

object ConstructionContext {
  private val EmptyConf = new Configuration(false)
  private lazy val instantiator = new ObjenesisStd().getInstantiatorOf(classOf[ConstructionContext])

  /** The stand-in for `real`, or `real` itself where this JVM makes no object without its constructor. */
  def of(real: SparkContext): SparkContext =
    try {
      val made = instantiator.newInstance()
      made.real = real
      made
    } catch { case NonFatal(_) | _: LinkageError => real }
}
