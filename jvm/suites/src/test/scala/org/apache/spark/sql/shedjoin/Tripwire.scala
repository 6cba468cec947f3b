package org.apache.spark.sql.shedjoin

import java.util.concurrent.atomic.AtomicInteger

import org.apache.spark.sql.SparkSessionExtensions
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.streaming.operators.stateful.join.StreamingSymmetricHashJoinExec
import org.apache.spark.sql.execution.{ColumnarRule, SparkPlan}

/** Sees every executed plan: counts its streaming joins, and throws at one that is Spark's own. */
class Tripwire extends (SparkSessionExtensions => Unit) {

  override def apply(extensions: SparkSessionExtensions): Unit =
    extensions.injectColumnar(_ => TripwireRule)
}

object Tripwire {
  private val seen = new AtomicInteger

  def reset(): Unit = seen.set(0)

  /** How many streaming joins have been planned since `reset`. O(1). */
  def joinsSeen: Int = seen.get

  private[shedjoin] def inspect(plan: SparkPlan): Unit = plan.foreach {
    case join: StreamingSymmetricHashJoinExec =>
      if (isSparks(join) && !ShedOn.baseline)
        throw new IllegalStateException(s"A streaming join was planned as Spark's own operator:\n$join")
      seen.incrementAndGet()
    case _ =>
  }

  private def isSparks(join: StreamingSymmetricHashJoinExec): Boolean =
    join.getClass.getName == classOf[StreamingSymmetricHashJoinExec].getName
}

private object TripwireRule extends ColumnarRule {

  override def preColumnarTransitions: Rule[SparkPlan] = plan => {
    Tripwire.inspect(plan)
    plan
  }
}
