package shedjoin.sim.serve

import java.util.{List => JList}

import scala.jdk.CollectionConverters._

import shedjoin.core.alloc.{Allocation, JoinDemand, RecallCurve}
import shedjoin.core.model.AgeCurve

/** Memory split over joins (paper 1, section 5), for Python. */
object Splits {

  /** The rows of each join, by ALLOC or else by PROP. */
  def split(isAlloc: Boolean, curves: JList[RecallCurve], rows: Long): JList[Long] = {
    val demands = curves.asScala.toSeq.map(new JoinDemand(_))
    (if (isAlloc) Allocation.maxMin(demands, rows) else Allocation.proportional(demands, rows)).asJava
  }

  /** Of PROB: how many rows of each value the window holds, and how often each comes on the other side. */
  def ofFrequencies(stored: JList[Double], partners: JList[Double]): RecallCurve =
    RecallCurve.ofFrequencies(stored.asScala.toSeq, partners.asScala.toSeq)

  /** Of AGE: how many partners come in each of equal parts of the window. */
  def ofAge(parts: JList[Double], window: Long, rowsPerTick: Double): RecallCurve =
    RecallCurve.ofAge(new AgeCurve(window, parts.asScala.toArray), rowsPerTick)
}
